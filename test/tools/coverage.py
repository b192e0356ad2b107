#!/usr/bin/env python3
"""coverage.py PARLANCE DOCS TESTS: every diagnostic has a page, an example that triggers it and nothing else, a corrected
form that is clean, and a test that expects it; what a framework refuses is said as it says it."""
import json
import os
import re
import subprocess
import sys
import tempfile

# Examples that one file of .parl text cannot show, and why.
NO_EXAMPLE = {
    "PL0057": "needs two other files that declare one name",
    "PL0060": "needs files that use each other",
    "PL0080": "is about a file that cannot be read",
    "PL0083": "needs 400 declarations",
    "PL0159": "is about a baseline",
    "PL0160": "is about a baseline",
    "PL7039": "is about the command line",
    "PL7042": "is about the command line",
    "PL7044": "is about the command line",
    "PL7050": "is about `lower`",
    "PL7051": "is about `lower`",
    "PL7052": "is about `lower`",
    "PL7061": "needs a text of megabytes",
    "PL7062": "needs a very long script",
}
NO_FIXED = {
    **NO_EXAMPLE,
    "PL0074": "the corrected form needs a config.json",
    "PL0079": "the corrected form needs a config.json",
    "PL7011": "the option may be right as it is",
    "PL7075": "what the other file says is not part of the example",
}


# What an example cannot but trigger as well.
ALSO = {
    "PL7071": ["PL7002"],
    # Guidance stands below the step that fails.
    "PL3010": ["PL3001"],
    "PL3011": ["PL3005"],
    "PL3012": ["PL3004"],
    "PL3013": ["PL3002"],
    "PL5021": ["PL4001"],
    "PL5022": ["PL4002"],
}


def page_parts(text):
    """The example and the corrected form of a page of docs/rules."""
    parts = {}
    for title, body in re.findall(r"^## (Triggers it|Corrected)\n```parlance\n(.*?)^```$", text, re.M | re.S):
        parts[title] = body
    return parts.get("Triggers it"), parts.get("Corrected")


def diagnostics_of(parlance, text):
    # An example may begin with the name of the file that it is: a model's config is imported, others are checked.
    foreign = re.match(r"# (\S+\.(?:json|toml|yaml|sh))\n(.*)", text, re.S)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "example.parl")
        if foreign and foreign[1] == "config.json":
            with open(os.path.join(folder, foreign[1]), "w") as f:
                f.write(foreign[2])
            text = f'model m = import "{foreign[1]}"\n'
        elif foreign:
            path, text = os.path.join(folder, foreign[1]), foreign[2]
        with open(path, "w") as f:
            f.write(text)
        done = subprocess.run([parlance, "check", "--format", "json", path], capture_output=True, text=True, timeout=60)
    if done.returncode > 1 and not done.stdout:
        return [{"severity": "error", "code": f"status {done.returncode}", "message": done.stderr}]
    return json.loads(done.stdout)["diagnostics"]


def brief(diagnostics):
    return ", ".join(f"{d['severity']} {d['code']} `{d['message']}`" for d in diagnostics) or "nothing"


def main():
    parlance, docs, tests = sys.argv[1:4]
    errors = []
    with open(os.path.join(docs, "rules", "README.md"), encoding="utf-8") as f:
        rows = re.findall(r"^\| \[(PL\d{4})\]\(PL\d{4}\.md\) \| (\S+) \| (\w+) \|", f.read(), re.M)
    codes = [code for code, _, _ in rows]
    names = [name for _, name, _ in rows]
    for what in (codes, names):
        errors += [f"{x} stands for two diagnostics" for x in sorted(set(what)) if what.count(x) > 1]
    schema = json.loads(subprocess.run([parlance, "schema"], capture_output=True, text=True, check=True).stdout)
    errors += [f"{r['code']} is not in docs/rules/README.md" for r in schema["rules"] if r["code"] not in codes]

    errors += [f"{r['code']} does not say what {' or '.join(r['targets'])} says (`raises`)" for r in schema["rules"]
               if r["severity"] == "error" and r["targets"] and not r.get("raises")]

    expectations = ""
    for folder, _, files in os.walk(tests):
        for name in files:
            if name.endswith((".parl", ".test")) and "tools" not in folder:
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
                    expectations += f.read()
    tested = set(re.findall(r"expect: \w+ (PL\d{4})|\[(PL\d{4})", expectations))
    tested = {code for pair in tested for code in pair}

    for code, name, severity in rows:
        try:
            with open(os.path.join(docs, "rules", f"{code}.md"), encoding="utf-8") as f:
                example, fixed = page_parts(f.read())
        except OSError:
            errors.append(f"{code} has no page docs/rules/{code}.md")
            continue
        if code not in tested:
            errors.append(f"{code} {name} is expected by no test")
        if (example is None) != (code in NO_EXAMPLE):
            errors.append(f"{code} {'has no' if example is None else 'is listed but has an'} example")
        if (fixed is None) != (code in NO_FIXED):
            errors.append(f"{code} {'has no' if fixed is None else 'is listed but has a'} corrected form")
        if example is not None:
            found = diagnostics_of(parlance, example)
            if not any(d["code"] == code and d["severity"] == severity for d in found):
                errors.append(f"{code}: the example does not trigger it: {brief(found)}")
            others = [d for d in found if d["code"] != code and d["code"] not in ALSO.get(code, []) and d["severity"] in ("error", "warning")]
            if others:
                errors.append(f"{code}: the example triggers more: {brief(others)}")
            if sum(d["code"] == code for d in found) > 1:
                errors.append(f"{code}: the example triggers it more than once: {brief(found)}")
        if fixed is not None:
            found = diagnostics_of(parlance, fixed)
            bad = [d for d in found if d["code"] == code or d["severity"] == "error"]
            if bad:
                errors.append(f"{code}: the corrected form has {brief(bad)}")
    for error in errors:
        print(error, file=sys.stderr)
    print(f"{len(codes)} diagnostics, {len(errors)} problems")
    sys.exit(bool(errors))


main()
