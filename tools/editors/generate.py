#!/usr/bin/env python3
"""Writes what editors know of the language by themselves: the TextMate grammar of VS Code and the
syntax file of Neovim. Words come from the lexer's table and from `parlance schema`, so that they
follow the language. `generate.py PARLANCE` writes the files, `--check` fails where one is stale."""
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SYNTAX = HERE.parent.parent / "lib" / "Syntax"
TOKENS = SYNTAX / "Tokens.cpp"
TREE = SYNTAX / "Ast.h"
VALUES = {"true", "false", "auto"}
OPERATORS = {"and", "or", "not", "if", "then", "else"}
# Words that stand only in the bodies of the standard library's own declarations.
LIBRARY = {"unit", "refuse", "enum", "schema", "derive"}


def words():
    """Reserved words and those that are keywords in their place, from the lexer."""
    text = TOKENS.read_text()
    reserved = re.findall(r'\{"(\w+)", Tok::', text)
    placed = re.findall(r'Word == "(\w+)"', text)
    if not reserved or not placed:
        sys.exit(f"{TOKENS}: no table of words found")
    return reserved, [w for w in placed if w not in LIBRARY]


def cases():
    """What the cases of a rule's test are called."""
    found = re.search(r"bool isCaseWord.*?\}", TREE.read_text(), re.S)
    return re.findall(r'Word == "(\w+)"', found[0]) if found else sys.exit(f"{TREE}: no words of cases found")


def schema(parlance):
    return json.loads(subprocess.run([parlance, "schema"], check=True, capture_output=True, text=True).stdout)


def alternation(names):
    return "|".join(re.escape(n) for n in sorted(names, key=lambda n: (-len(n), n)))


def unit_names(library):
    """Units as they are written; those with a blank or a sign in them are not single words."""
    return [u["name"] for u in library["units"] if re.fullmatch(r"\w+", u["name"])]


def unit_expression(units):
    """A unit with a tail of further units and its qualifier: `GB/s per direction`, `tok/seq`."""
    one = rf"(?:{alternation(units)})\b"
    return rf"{one}(?:[/*]{one}|\^\d+)*(?:\s+(?:per direction|bidirectional|dense|sparse)\b)?"


def marked(match, *scopes):
    """A pattern whose groups have scopes, in order."""
    return {"match": match, "captures": {str(i + 1): {"name": f"{s}.parlance"} for i, s in enumerate(scopes)}}


def textmate(library):
    reserved, placed = words()
    control = [w for w in reserved if w not in VALUES | OPERATORS] + placed
    blocks = [b["name"] for b in library["blocks"] if b["declarable"]] + ["test"]
    unit = unit_expression(unit_names(library))
    number = r"\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?"
    allow = {
        "match": r"#\s*(parlance:)\s*(allow)\(([^)]*)\)(.*)$",
        "name": "comment.line.number-sign.parlance",
        "captures": {
            "1": {"name": "keyword.other.directive.parlance"},
            "2": {"name": "keyword.other.directive.parlance"},
            "3": {"name": "constant.other.rule.parlance"},
        },
    }
    return {
        "name": "Parlance",
        "scopeName": "source.parlance",
        "comment": "Written by tools/editors/generate.py; do not edit.",
        "patterns": [{"include": "#" + n} for n in
                     ("comments", "strings", "declaration", "function", "rule", "case", "field", "expression")],
        "repository": {
            "comments": {"patterns": [allow, {"name": "comment.line.number-sign.parlance", "match": "#.*$"}]},
            "strings": {"patterns": [
                {"name": "string.quoted.triple.parlance", "begin": '"""', "end": '"""'},
                {"name": "string.quoted.double.parlance", "begin": '"', "end": r'"|$', "patterns": [
                    {"name": "constant.character.escape.parlance", "match": r"\\."},
                    {"name": "variable.other.interpolated.parlance", "match": r"\{[^{}\"]*\}"},
                ]},
            ]},
            "declaration": marked(
                rf"^\s*({alternation(blocks)})\s+([A-Za-z_]\w*)(?:\s+(from)\s+([A-Za-z_]\w*))?(?=\s*[{{=])",
                "storage.type", "entity.name.type", "keyword.control", "entity.other.inherited-class"),
            "function": marked(
                r"\b(fn)\s+([A-Za-z_]\w*)",
                "storage.type.function", "entity.name.function"),
            "rule": marked(
                r"\b(rule)\s+([A-Za-z_]\w*)(?:\s+(PL\d+))?\s+(on)\b",
                "storage.type", "entity.name.function", "constant.other.rule", "keyword.control"),
            "case": marked(
                rf"(?:(?<=\{{)|^)\s*({alternation(cases())})(?:\s+(from)\s+([A-Za-z_]\w*))?(?=\s*\{{)",
                "storage.type", "keyword.control", "entity.other.inherited-class"),
            "field": marked(
                r"(?:(?<=[{,])|^)\s*([A-Za-z_]\w*)\s*(?==(?!=))",
                "variable.other.property"),
            "expression": {"patterns": [
                {"include": "#comments"},
                {"include": "#strings"},
                marked(rf"({number})(%|(?:[kMGT]i?)?\b)?(?:\s*({unit}))?",
                       "constant.numeric", "constant.numeric.magnitude", "keyword.other.unit"),
                {"name": "constant.language.parlance", "match": rf"\b(?:{alternation(VALUES)})\b"},
                {"name": "keyword.operator.word.parlance", "match": rf"\b(?:{alternation(OPERATORS)})\b"},
                {"name": "keyword.control.parlance", "match": rf"\b(?:{alternation(control)}|from)\b"},
                {"match": r"\b([A-Za-z_]\w*)(?=\()", "name": "entity.name.function.parlance"},
                {"name": "keyword.operator.parlance", "match": r"->|==|!=|<=|>=|[-+*/%^<>=]"},
            ]},
        },
    }


def vim(library):
    reserved, placed = words()
    keywords = [w for w in reserved if w not in VALUES | OPERATORS] + placed + ["from"]
    blocks = [b["name"] for b in library["blocks"] if b["declarable"]] + ["test"]
    declared = "\\|".join(blocks)
    case = "\\|".join(cases())
    unit = "\\|".join(sorted(unit_names(library), key=lambda n: (-len(n), n)))
    return "\n".join([
        '" Written by tools/editors/generate.py; do not edit.',
        "if exists('b:current_syntax')", "  finish", "endif",
        r"syntax match parlanceNumber /\<\d[0-9_]*\(\.\d[0-9_]*\)\?\([eE][+-]\?\d\+\)\?\([kMGT]i\?\)\?\>\|%/",
        rf"syntax match parlanceUnit /\C\<\%({unit}\)\>/",
        "syntax keyword parlanceKeyword " + " ".join(sorted(set(keywords))),
        rf"syntax match parlanceBlock /^\s*\%({declared}\)\>\ze\s\+\h/",
        rf"syntax match parlanceBlock /\<\%({case}\)\>\ze\%(\s\+from\s\+\h\w*\)\?\s*{{/",
        "syntax keyword parlanceOperator " + " ".join(sorted(OPERATORS)),
        "syntax keyword parlanceConstant " + " ".join(sorted(VALUES)),
        r"syntax match parlanceField /\<\h\w*\ze\s*=\%(=\)\@!/",
        r"syntax match parlanceCall /\<\h\w*\ze(/",
        r'syntax region parlanceString start=/"/ skip=/\\./ end=/"/ oneline',
        r'syntax region parlanceString start=/"""/ end=/"""/',
        "syntax match parlanceComment /#.*$/ contains=parlanceAllow,@Spell",
        r"syntax match parlanceAllow /parlance:\s*allow([^)]*)/ contained",
        "highlight default link parlanceNumber Number",
        "highlight default link parlanceUnit Type",
        "highlight default link parlanceKeyword Statement",
        "highlight default link parlanceBlock Structure",
        "highlight default link parlanceOperator Operator",
        "highlight default link parlanceConstant Constant",
        "highlight default link parlanceField Identifier",
        "highlight default link parlanceCall Function",
        "highlight default link parlanceString String",
        "highlight default link parlanceComment Comment",
        "highlight default link parlanceAllow PreProc",
        "let b:current_syntax = 'parlance'", "",
    ])


def main():
    if len(sys.argv) not in (2, 3) or (len(sys.argv) == 3 and sys.argv[1] != "--check"):
        sys.exit("usage: generate.py [--check] PARLANCE")
    library = schema(sys.argv[-1])
    outputs = {
        HERE / "vscode" / "syntaxes" / "parlance.tmLanguage.json": json.dumps(textmate(library), indent=1) + "\n",
        HERE / "nvim" / "syntax" / "parlance.vim": vim(library),
    }
    stale = [p for p, text in outputs.items() if not p.exists() or p.read_text() != text]
    if sys.argv[1] == "--check":
        if stale:
            sys.exit("stale: " + ", ".join(str(p) for p in stale) + "; run tools/editors/generate.py")
        return
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(outputs[path])


main()
