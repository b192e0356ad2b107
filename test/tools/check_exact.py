#!/usr/bin/env python3
"""check_exact.py [--update] PARLANCE FILE...: runs `parlance check` on each file and compares everything it reports.

What a file expects stands in comments of the file itself, exhaustively: a diagnostic too many fails like one too few.

    # expect: error PL2003 @7:39-40 "tensor-parallel size 3 does not divide the 64"
    #   caret "64 / 3 leaves 1"
    #   label @3:1-6 "declared here"
    #   note @8:5-6 "64 attention heads"
    #   fix "`tp = 4`" [machine]
    #   body "weights 12.6 GiB"
    #   derivation "valid.heads = divides(layout.tp, model.heads)"

Places are LINE:COLUMN[-END] or LINE:COLUMN-ENDLINE:END (END behind the last column); a line `+N` counts from the comment;
`@other.json:2:5` is in another file, `@-` nowhere. Texts are parts of what is printed. `caret`, `label`, `note` and `fix`
are complete as well; `jobs`, `body` and `derivation` are checked where they are given.
`# with: --deny warnings` adds arguments, `# exit: 2` says the status where it is not what the severities imply.

The three formats must agree: JSON is what is compared, the lines of `concise` and the head lines of `text` must say the
same, and all three end with one status. `--update` writes the expectations anew, at the end of the file or, where the
first one stands above everything else, at the top; read the difference before you keep it.
"""
import json
import os
import re
import subprocess
import sys

TEXT = r'"((?:[^"\\]|\\.)*)"'
HEAD = re.compile(r"#\s*expect: (error|warning|hint) (PL\d{4}) @(\S+) " + TEXT + r"\s*$")
PART = re.compile(r"#   (caret|label|note|fix|jobs|body|derivation) (?:@(\S+) )?" + TEXT + r"(?: \[(\w+)\])?\s*$")
PLACE = re.compile(r"(?:(.+):)?(\+?)(\d+):(\d+)(?:-(?:(\d+):)?(\d+))?$")
KINDS = ("caret", "label", "note", "fix", "jobs", "body", "derivation")
COMPLETE = KINDS[:4]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def unquoted(text):
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)


class Place:
    """Where something is; `file` is empty for the file under test."""

    def __init__(self, file, line, column, end_line=None, end=None):
        self.file, self.line, self.column, self.end_line, self.end = file, line, column, end_line, end

    def admits(self, found):
        mine, other = (self.file, self.line, self.column), (found.file, found.line, found.column)
        return mine == other and (self.end is None or (self.end_line, self.end) == (found.end_line, found.end))

    def __str__(self):
        if self.line is None:
            return "-"
        text = f"{self.file}:" if self.file else ""
        text += f"{self.line}:{self.column}"
        if self.end is None:
            return text
        return text + ("-" if self.end_line == self.line else f"-{self.end_line}:") + str(self.end)


def parse_place(text, here):
    if text == "-":
        return Place("", None, None)
    m = PLACE.match(text)
    if not m:
        raise ValueError(f"`@{text}` is no place")
    line = int(m[3]) + (here if m[2] else 0)
    return Place(m[1] or "", line, int(m[4]), int(m[5] or line) if m[6] else None, int(m[6]) if m[6] else None)


class Item:
    """A diagnostic, expected or found; its parts by kind: (place, text, applicability)."""

    def __init__(self, severity, code, place, message):
        self.severity, self.code, self.place, self.message = severity, code, place, message
        self.parts = {kind: [] for kind in KINDS}

    def __str__(self):
        return f"{self.severity} {self.code} @{self.place} {quoted(self.message)}"

    def lines(self):
        out = [f"# expect: {self}"]
        for kind in COMPLETE:
            for place, text, trust in self.parts[kind]:
                out.append(f"#   {kind} " + (f"@{place} " if place else "") + quoted(text) + (f" [{trust}]" if trust else ""))
        return out


def parse_expectations(lines):
    items, options, status = [], [], None
    for number, line in enumerate(lines, 1):
        if m := HEAD.match(line.strip()):
            items.append(Item(m[1], m[2], parse_place(m[3], number), unquoted(m[4])))
        elif m := PART.match(line.strip()):
            if not items:
                raise ValueError(f"line {number}: `{m[1]}` belongs below an `expect`")
            items[-1].parts[m[1]].append((parse_place(m[2], number) if m[2] else None, unquoted(m[3]), m[4]))
        elif m := re.match(r"#\s*with: (.*)$", line):
            options += m[1].split()
        elif m := re.match(r"#\s*exit: (\d)$", line):
            status = int(m[1])
        elif re.match(r"#\s*expect", line):
            raise ValueError(f"line {number}: cannot read the expectation `{line.strip()}`")
    return items, options, status


def json_place(entry, path):
    if entry.get("line") is None:
        return None
    file = "" if entry["file"] == os.path.basename(path) else entry["file"]
    return Place(file, entry["line"], entry["column"], entry["endLine"], entry["endColumn"])


def equations(tree):
    """Every line of a derivation: `name = formula = with numbers = value`."""
    yield " = ".join(x for x in (tree["name"], tree["formula"], tree["substituted"], tree["text"]) if x)
    for term in tree["terms"]:
        yield from equations(term)


def found_items(report, path):
    items = []
    for d in report["diagnostics"]:
        item = Item(d["severity"], d["code"], json_place(d, path) or Place("", None, None), d["message"])
        if d.get("caret"):
            item.parts["caret"].append((None, d["caret"], None))
        for kind, key in (("label", "labels"), ("note", "notes")):
            item.parts[kind] = [(json_place(n, path), n["message"], None) for n in d.get(key, [])]
        item.parts["fix"] = [(None, f["title"], f["applicability"]) for f in d["fixes"]]
        item.parts["jobs"] = [(None, jobs_text(d.get("jobs", [])), None)]
        item.parts["body"] = [(None, line, None) for line in d.get("body", [])]
        trees = d.get("derivations") or ([d["derivation"]] if "derivation" in d else [])
        item.parts["derivation"] = [(None, line, None) for tree in trees for line in equations(tree)]
        items.append(item)
    return items


def admits(expected, found):
    """Whether one part is as expected."""
    (place, text, trust), (at, is_text, is_trust) = expected, found
    return text in is_text and (not place or (at and place.admits(at))) and (not trust or trust == is_trust)


def compare_parts(expected, found):
    errors = []
    for kind in KINDS:
        left = list(found.parts[kind])
        for part in expected.parts[kind]:
            hit = next((f for f in left if admits(part, f)), None)
            if hit:
                left.remove(hit)
            else:
                near = "".join(f"\n      there is {str(f[0]) + ' ' if f[0] else ''}{quoted(f[1])}" for f in left[:12])
                errors.append(f"no {kind} {str(part[0]) + ' ' if part[0] else ''}{quoted(part[1])}{near}")
        if kind in COMPLETE:
            errors += [f"unexpected {kind} {str(f[0]) + ' ' if f[0] else ''}{quoted(f[1])}" for f in left]
    return [f"{found}\n    {e}" for e in errors]


def compare(expected, found):
    errors, left = [], list(found)
    for e in expected:
        hit = next((f for f in left if (f.severity, f.code) == (e.severity, e.code) and e.place.admits(f.place)
                    and e.message in f.message), None)
        if hit:
            left.remove(hit)
            errors += compare_parts(e, hit)
        else:
            errors.append(f"missing:    {e}")
    return errors + [f"unexpected: {f}" for f in left]


def run(parlance, path, options, form):
    folder, name = os.path.split(os.path.abspath(path))  # messages name files as they were given
    command = [parlance, "check", "--quiet", "--format", form, *options, name]
    done = subprocess.run(command, capture_output=True, timeout=120, cwd=folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def jobs_text(jobs):
    """What the head of a diagnostic says of the jobs that it is about."""
    shown = jobs[:3] if len(jobs) > 4 else jobs
    more = f" and {len(jobs) - len(shown)} more" if len(jobs) > len(shown) else ""
    return f" (job{'' if len(jobs) == 1 else 's'} {', '.join(shown)}{more})" if jobs else ""


def formats_agree(parlance, path, options, report, status):
    """The other two formats say what JSON says."""
    errors, heads = [], []
    for d in report["diagnostics"]:
        place = f"{d['file']}:{d['line']}:{d['column']}" if d["line"] is not None else "parlance"
        heads.append(f"{place}: {d['severity']}: {d['message']} [{d['code']} {d['name']}]" + jobs_text(d.get("jobs", [])))
    code, out, concise = run(parlance, path, options, "concise")
    lines = [line for line in concise.splitlines() if not re.match(r"and [\d,]+ more errors?$", line)]
    if lines != heads or out:
        errors.append("concise differs from JSON:\n    " + "\n    ".join(set(lines) ^ set(heads)))
    if code != status:
        errors.append(f"exit status {code} with concise, {status} with JSON")
    code, out, text = run(parlance, path, options, "text")
    if code != status:
        errors.append(f"exit status {code} with text, {status} with JSON")
    at = 0
    for head in heads:
        where = text.find(head + "\n", at)
        if where < 0:
            errors.append(f"text lacks: {head}")
        else:
            at = where + len(head)
    counts = [report["summary"]["errors"], report["summary"]["warnings"]]
    words = [f"{n} {w}{'' if n == 1 else 's'}" for n, w in zip(counts, ("error", "warning")) if n]
    last = text.splitlines()[-1] if text else ""
    if words and last != ", ".join(words):
        errors.append(f"the last line of the text is `{last}`, not `{', '.join(words)}`")
    if out:
        errors.append("text went to stdout")
    return errors


def check(parlance, path):
    with open(path, "rb") as f:
        lines = f.read().decode("utf-8", "replace").splitlines()
    expected, options, status = parse_expectations(lines)
    code, out, err = run(parlance, path, options, "json")
    if err:
        return [f"JSON run wrote to stderr: {err}"]
    report = json.loads(out)
    found = found_items(report, path)
    severities = [f.severity for f in found]
    counted = [severities.count("error") + report["summary"].get("suppressed", 0), severities.count("warning")]
    errors = compare(expected, found)
    if counted != [report["summary"]["errors"], report["summary"]["warnings"]]:
        errors.append(f"the summary is {report['summary']}, but there are {counted[0]} errors and {counted[1]} warnings")
    if status is None:
        status = 1 if "error" in severities or ("warning" in severities and "--deny" in options) else 0
    if code != status:
        errors.append(f"exit status {code}, not {status}")
    return errors + formats_agree(parlance, path, options, report, code)


def update(parlance, path):
    with open(path, encoding="utf-8", newline="") as f:
        lines = f.read().split("\n")
    try:
        rewrite(parlance, path, lines)
    except ValueError:  # no JSON came out: leave the file as it was
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write("\n".join(lines))


def rewrite(parlance, path, lines):
    is_expectation = [bool(re.match(r"#\s*expect: ", l) or PART.match(l)) for l in lines]
    first = next((i for i, e in enumerate(is_expectation) if e), None)
    top = first is not None and all(l.startswith("#") or not l for l in lines[:first]) and any(
        l and not l.startswith("#") for l in lines[first:])
    body = [l for l, e in zip(lines, is_expectation) if not e]
    while body and not body[-1]:
        body.pop()
    options = parse_expectations(body)[1]
    count = 0
    while True:  # lines at the top move what they describe, and so the numbers in them
        new = body[:first] + ["#"] * count + body[first:] if top else body
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write("\n".join(new) + "\n")
        block = [l for item in found_items(json.loads(run(parlance, path, options, "json")[1]), path) for l in item.lines()]
        if not top or len(block) == count:
            break
        count = len(block)
    new = body[:first] + block + body[first:] if top else body + block
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write("\n".join(new) + "\n")


def main():
    words = sys.argv[1:]
    updating = words[:1] == ["--update"]
    parlance, *files = words[updating:]
    failed = False
    for path in files:
        if updating:
            update(parlance, path)
        try:
            errors = check(parlance, path)
        except (ValueError, KeyError, subprocess.TimeoutExpired) as e:
            errors = [f"{type(e).__name__}: {e}"]
        for error in errors:
            print(f"{path}: {error}", file=sys.stderr)
        failed |= bool(errors)
    sys.exit(failed)


main()
