#!/usr/bin/env python3
"""What the two runners of tests found, in a few lines: `summary.py UNIT_STATUS UNIT.xml LIT_STATUS LIT.json`.
Prints the skipped tests by reason, then `N passed, N failed`. A runner that failed without saying in what counts as one
failure of its own."""
import collections
import json
import re
import sys
import xml.etree.ElementTree

# What a test needs that is missing, where its name in lit.cfg.py does not say it.
MISSING = {
    "browser": "no chromium or no npm packages of test/Report/browser",
    "shared": "no ../shared",
    "vscode": "no npm packages of tools/editors/vscode",
}


def unit_cases(path):
    try:
        return list(xml.etree.ElementTree.parse(path).iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError):
        return []


def lit_cases(path):
    try:
        with open(path) as file:
            return json.load(file).get("tests", [])
    except (OSError, ValueError):
        return []


def unit_reason(skipped):
    """GoogleTest's message is FILE:LINE, and then what the test says."""
    return skipped.get("message", "").partition("\n")[2].strip() or "no reason given"


def lit_reason(test):
    found = re.search(r"unavailable features: (.+)", test.get("output", ""))
    if not found:
        return test["code"].lower()
    return " or ".join(MISSING.get(name, f"no {name}") for name in found[1].split(", "))


def main():
    unit_status, unit, lit_status, lit = int(sys.argv[1]), unit_cases(sys.argv[2]), int(sys.argv[3]), lit_cases(sys.argv[4])
    skips = [s for case in unit for s in case.iter("skipped")]
    unit_failed = sum(case.find("failure") is not None for case in unit)
    by_code = collections.defaultdict(list)
    for test in lit:
        by_code[test["code"]].append(test)

    def lit_count(*codes):
        return sum(len(by_code[code]) for code in codes)

    passed = sum(case.get("result") == "completed" for case in unit) - unit_failed
    passed += lit_count("PASS", "FLAKYPASS", "XFAIL")
    lit_failed = lit_count("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT")
    failed = unit_failed + lit_failed
    failed += (unit_status != 0 and unit_failed == 0) + (lit_status != 0 and lit_failed == 0)

    reasons = collections.Counter(map(unit_reason, skips))
    reasons.update(lit_reason(test) for code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED") for test in by_code[code])
    print(f"{reasons.total()} skipped" + (":" if reasons else ""))
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        print(f"  {count} {reason}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
