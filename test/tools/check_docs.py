#!/usr/bin/env python3
"""check_docs.py [--update] PARLANCE DOCS: the pages that people write say what is true.

Code blocks of DOCS/*.md, DOCS/examples/*.md and the README beside DOCS are checked as files of their own: ```parlance is
clean, ```parlance-error CODE gives exactly that diagnostic, ```parlance-part is not checked; ```text output (or
```text concise) is what `check` prints of the block before it, as train.parl. Relative links lead to files and headings that are there. language.md repeats the units, the grammar and the docs of derived quantities: they are
compared with the program and the grammar. Generated pages (which say so in their first line) are left out.
`--update` writes outputs, the tables of quantities and the grammar anew.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
ROW = re.compile(r"^\| `([\w.]+)(\([^)]*\))?` \| `([^`]+)` \| (.*) \|$", re.M)

# Tokens of the grammar that have one spelling.
SPELLING = {
    "LBRACE": "{", "RBRACE": "}", "LPAREN": "(", "RPAREN": ")", "LBRACKET": "[", "RBRACKET": "]", "ASSIGN": "=",
    "COLON": ":", "COMMA": ",", "DOT": ".", "DOTDOT": "..", "ARROW": "->", "BAR": "|", "EQ": "==", "NE": "!=", "LT": "<",
    "LE": "<=", "GT": ">", "GE": ">=", "PLUS": "+", "MINUS": "-", "STAR": "*", "SLASH": "/", "PERCENT": "%", "CARET": "^",
    "LSET": "{", "RSET": "}", "UNITKW": "unit",
    **{word: word.lower() for word in "USE LET FN REQUIRE WARN RULE MAXIMIZE MINIMIZE IF THEN ELSE AND OR NOT TRUE FALSE "
       "AUTO ANY IMPORT FROM ON IN ASSUME NOTE FIX NEAREST REFUSE ENUM SCHEMA DERIVE WHEN RANGE".split()},
}
# Lexical rules that recognise mistakes.
MISTAKES = "OPENSTRING QUOTED SLASHES AMPAMP BARBAR BANG STARSTAR SEMICOLON NONASCII INVALID".split()

errors = []


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def check_block(parlance, where, kind, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "example.parl")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        done = subprocess.run([parlance, "check", "--format", "json", path], capture_output=True, text=True, timeout=60)
    try:
        found = [d for d in json.loads(done.stdout)["diagnostics"] if d["severity"] != "hint"]
    except ValueError:
        errors.append(f"{where}: status {done.returncode}: {done.stderr}")
        return
    wanted = kind.split()[1:]
    if [d["code"] for d in found] != wanted:
        said = "; ".join(f"{d['line']}:{d['column']} {d['code']} {d['message']}" for d in found) or "nothing"
        errors.append(f"{where}: wanted {' '.join(wanted) or 'nothing'}, got {said}")


def output_of(parlance, text, form):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "train.parl"), "w", encoding="utf-8") as f:
            f.write(text)
        command = [parlance, "check", "--format", form, "--color", "never", "train.parl"]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60).stderr
    return "".join(line.rstrip() + "\n" for line in said.splitlines())


def check_outputs(parlance, path, text, update):
    new, source = text, ""
    for kind, body in FENCE.findall(text):
        if kind in ("text output", "text concise"):
            form = "text" if kind == "text output" else "concise"
            new = new.replace(f"{source}```\n```{kind}\n{body}", f"{source}```\n```{kind}\n{output_of(parlance, source, form)}")
        elif kind.startswith("parlance"):
            source = body
    if new != text and update:
        with open(path, "w", encoding="utf-8") as f:
            f.write(new)
    elif new != text:
        errors.append(f"{path}: the output of an example is not current; run check_docs.py --update")


def anchors(text):
    """What GitHub makes of the headings."""
    names = set()
    for title in re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.M):
        title = re.sub(r"[^\w\- ]", "", title.lower())
        names.add(title.replace(" ", "-"))
    return names


def check_links(path, text):
    plain = re.sub(r"`[^`\n]*`", lambda m: "`" * len(m[0]), FENCE.sub("", text))
    for target in LINK.findall(plain):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.exists(file):
            errors.append(f"{path}: the link {target} leads nowhere")
        elif anchor and anchor not in anchors(read(file)):
            errors.append(f"{path}: {target} has no such heading")


def grammar(path):
    """Parser rules with their tokens spelled out, and lexical rules, as two texts."""
    text = re.sub(r"^ *//.*\n", "", read(path), flags=re.M)
    text = re.sub(r"^grammar .*?^}\n", "", text, flags=re.M | re.S)
    parser, lexer = text.split("IDENT :", 1)
    parser = re.sub(r"\b[A-Z]+\b", lambda m: f"'{SPELLING[m[0]]}'" if m[0] in SPELLING else m[0], parser)
    rules = ["IDENT :" + lexer.split("\n", 1)[0]]
    for line in lexer.split("\n")[1:]:
        if line and line.split(" :")[0].split()[-1] not in [*SPELLING, *MISTAKES]:
            rules.append(line)
    return re.sub(r"\n{3,}", "\n\n", parser).strip() + "\n", "\n".join(rules) + "\n"


def section(text, title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]


def quantity_row(q):
    parameters = ", ".join(p["name"] for p in q["parameters"])
    return f"| `{q['name']}{f'({parameters})' if parameters else ''}` | `{q['type']}` | {q['doc']} |"


def check_language(path, schema, grammar_file, update):
    text = read(path)
    known = {q["name"]: q for q in schema["quantities"]}
    new = text
    for row in ROW.finditer(section(text, "What a job offers")):
        wanted = quantity_row(known[row[1]]) if row[1] in known else None
        if wanted is None:
            errors.append(f"{path}: no quantity `{row[1]}`")
        elif wanted != row[0]:
            new = new.replace(row[0], wanted)
    blocks = [b for b in FENCE.findall(text) if b[0] == "ebnf"]
    for (_, old), made in zip(blocks, grammar(grammar_file), strict=True):
        new = new.replace(f"```ebnf\n{old}```", f"```ebnf\n{made}```")
    if new != text and update:
        with open(path, "w", encoding="utf-8") as f:
            f.write(new)
    elif new != text:
        errors.append(f"{path}: quantities or grammar are not current; run check_docs.py --update")
    table = section(text, "Units").split("\n\n")[0]
    written = set(w for group in re.findall(r"`([^`]+)`", table) for w in group.split())
    units = {u["name"] for u in schema["units"]}
    if missing := units - written:
        errors.append(f"{path}: the table of units lacks {sorted(missing)}")
    if wrong := written - units - {"FLOP/s"}:
        errors.append(f"{path}: the table of units has {sorted(wrong)}")


def check_words(path, schema):
    """Each field that users may set stands in the table of blocks."""
    table = section(read(path), "Declarations")
    words = set(w for group in re.findall(r"`([^`]+)`", table) for w in re.findall(r"\w+", group))
    for block in schema["blocks"]:
        if "options_of" in block:
            continue  # docs/frameworks has a page for each framework
        if missing := [f["name"] for f in block["fields"] if not f["computed"] and f["name"] not in words]:
            errors.append(f"{path}: the table of blocks lacks {missing} of `{block['name']}`")


def main():
    words = sys.argv[1:]
    update = words[:1] == ["--update"]
    parlance, docs = words[update:]
    root = os.path.dirname(os.path.abspath(docs))
    pages = sorted(glob.glob(docs + "/*.md") + glob.glob(docs + "/examples/**/*.md", recursive=True))
    pages.append(os.path.join(root, "README.md"))
    blocks = 0
    for path in pages:
        text = read(path)
        if text.startswith("<!-- Made by"):
            continue
        check_links(path, text)
        check_outputs(parlance, path, text, update)
        for m in FENCE.finditer(text):
            kind = m[1].split(" ")[0]
            if kind in ("parlance", "parlance-error"):
                blocks += 1
                check_block(parlance, f"{path}:{text.count(chr(10), 0, m.start()) + 1}", m[1], m[2])
            elif kind not in ("parlance-part", "ebnf", "text", "json", "yaml", "sh", "cpp", ""):
                errors.append(f"{path}: no kind of block ```{m[1]}")
    schema = json.loads(subprocess.run([parlance, "schema"], capture_output=True, text=True, check=True).stdout)
    language = os.path.join(docs, "language.md")
    check_language(language, schema, os.path.join(root, "grammar", "Parlance.g4"), update)
    check_words(language, schema)
    for error in errors:
        print(error, file=sys.stderr)
    print(f"{len(pages)} pages, {blocks} code blocks, {len(errors)} problems")
    sys.exit(bool(errors))


main()
