#!/usr/bin/env python3
"""check_lesson.py PARLANCE FOLDER: the formulas of the lesson. `NAME.parl` is right and clean; `NAME_refused.parl` has
exactly one error, with its caret under the text that is listed here."""
import json
import os
import subprocess
import sys

# name: code, text under the caret, part of the message
REFUSED = {
    "bandwidth": ("PL1005", "900 GB/s", "one way, or the sum of both directions"),
    "dp": ("PL1002", "params / (2 * tokens) * (dp - 1) / dp * peak / bandwidth", "this is `elem·FLOP·gpu/(B·tok)`"),
    "hfu": ("PL0101", "mfu < 48%", "requirement does not hold"),
    "mfu": ("PL0078", "4M tok", "`tok/gpu`, but this is `tok`"),
    "pp": ("PL1002", "peak / (32 * hidden * depth * bandwidth)", "but `ratio` is declared"),
    "tokens": ("PL0078", "4Mi tok", "`tok/replica`, but this is `tok`"),
    "tp": ("PL1002", "(tp - 1) / (2 * hidden) * peak / bandwidth", "but `ratio` is declared"),
    "zero3": ("PL1002", "(dp - 1) / dp * block * (1 / gpu) / bandwidth", "but `s` is declared"),
}


def main():
    parlance, folder = sys.argv[1:3]
    errors = []
    names = sorted(n[:-5] for n in os.listdir(folder) if n.endswith(".parl"))
    right = [n for n in names if not n.endswith("_refused")]
    refused = [n[:-8] for n in names if n.endswith("_refused")]
    if sorted(REFUSED) != refused or not set(refused) <= set(right):
        errors.append(f"the refused forms are {refused}, the right ones {right}; listed are {sorted(REFUSED)}")
    for name in names:
        path = os.path.join(folder, name + ".parl")
        done = subprocess.run([parlance, "check", "--format", "json", path], capture_output=True, text=True, timeout=60)
        found = json.loads(done.stdout)["diagnostics"]
        if name in right:
            if found or done.returncode:
                errors.append(f"{name}: {[d['message'] for d in found]}")
            continue
        code, under, message = REFUSED.get(name[:-8], ("", "", ""))
        if len(found) != 1 or found[0]["severity"] != "error" or done.returncode != 1:
            errors.append(f"{name}: not one error but {[d['message'] for d in found]}")
            continue
        d = found[0]
        with open(path, encoding="utf-8") as f:
            line = f.read().split("\n")[d["line"] - 1]
        text = line[d["column"] - 1:d["endColumn"] - 1]
        if d["code"] != code or message not in d["message"]:
            errors.append(f"{name}: {d['code']} {d['message']}")
        if text != under:
            errors.append(f"{name}: the caret is under `{text}`, not under `{under}`")
    for error in errors:
        print(error, file=sys.stderr)
    sys.exit(bool(errors))


main()
