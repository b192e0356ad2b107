#!/usr/bin/env python3
"""check_cases.py FOLDER [CASES]: README.md of a folder of tests lists every case once, with files that mention it, and what
files mention is listed. CASES is a text whose lines `id: NAME` are all that there are."""
import os
import re
import sys

ROW = re.compile(r"\| ([A-Z]{3}-\d\d) \|.*\| ([^|]*) \|$")
NAME = re.compile(r"\b[A-Z]{3}-\d\d\b")


def read(*path):
    with open(os.path.join(*path)) as f:
        return f.read()


def main(folder, cases=None):
    files = {name: set(NAME.findall(read(folder, name))) for name in os.listdir(folder)
             if name.endswith((".parl", ".test"))}
    rows, faults = {}, []
    for line in read(folder, "README.md").splitlines():
        if m := ROW.match(line):
            if m[1] in rows:
                faults.append(f"{m[1]} is listed twice")
            rows[m[1]] = re.findall(r"\(([\w.]+)\)", m[2])
    for case, tests in rows.items():
        faults += [f"{case} is not in {test}" for test in tests if case not in files.get(test, ())]
    faults += [f"{case} of {name} is not listed" for name, found in files.items() for case in found - rows.keys()]
    if cases:
        known = set(re.findall(r"^id: (\S+)$", read(cases), re.M))
        faults += [f"{case} is not listed" for case in known - rows.keys()]
        faults += [f"{case} is not a case" for case in rows.keys() - known]
    print("\n".join(sorted(faults)) or f"{len(rows)} cases")
    return 1 if faults else 0


sys.exit(main(*sys.argv[1:]))
