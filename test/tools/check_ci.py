#!/usr/bin/env python3
"""check_ci.py gitlab FILE | junit FILE | matcher MATCHER.json OUTPUT | action ACTION.yml SCRIPT | hooks HOOKS.yaml

gitlab: every entry has what GitLab asks for. junit: the XML is well-formed and its counts are true.
matcher: prints what a problem matcher of GitHub finds in an output, one finding a line. action: its variables are those
that the script reads, its outputs those that it writes. hooks: prints the command of each hook of pre-commit.
"""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def gitlab(path):
    entries = json.loads(Path(path).read_text(encoding="utf-8"))
    assert entries, "the report is empty"
    for entry in entries:
        assert entry["description"] and entry["check_name"]
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"]["path"] and not entry["location"]["path"].startswith("./")
        assert entry["location"]["lines"]["begin"] >= 1
    prints = [entry["fingerprint"] for entry in entries]
    assert len(set(prints)) == len(prints), "two entries have one fingerprint"


def junit(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites"

    def counts(element):
        return int(element.get("tests")), int(element.get("failures"))

    total = [0, 0]
    for suite in root:
        cases = suite.findall("testcase")
        assert cases and all(case.get("name") and case.get("classname") for case in cases)
        assert counts(suite) == (len(cases), len(suite.findall("testcase/failure"))), suite.get("name")
        total = [a + b for a, b in zip(total, counts(suite))]
    assert counts(root) == tuple(total)


def matcher(path, output):
    matchers = json.loads(Path(path).read_text(encoding="utf-8"))["problemMatcher"]
    for line in Path(output).read_text(encoding="utf-8").splitlines():
        for m in matchers:
            (pattern,) = m["pattern"]
            if found := re.search(pattern["regexp"], line):
                level = found[pattern["severity"]] if "severity" in pattern else m["severity"]
                parts = [found[pattern[key]] for key in ("file", "line", "column", "code", "message")]
                print(level, *parts, sep="|")


def action(path, script):
    text, code = (Path(p).read_text(encoding="utf-8") for p in (path, script))
    given = set(re.findall(r"^        (PARLANCE\w*): \$\{\{ inputs\.[\w-]+ \}\}$", text, re.M))
    read = set(re.findall(r"\$\{(PARLANCE\w*):-", code))
    assert given == read - {"PARLANCE_REPORT"}, given ^ read
    inputs = re.search(r"^inputs:\n(.*?)^outputs:\n", text, re.M | re.S)[1]
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(re.findall(r"^  ([\w-]+):$", inputs, re.M))
    assert set(re.findall(r"steps\.check\.outputs\.(\w+)", text)) == set(re.findall(r"\boutput (\w+) ", code))


def hooks(path):
    for entry in re.findall(r"^  entry: (.*)$", Path(path).read_text(encoding="utf-8"), re.M):
        print(entry)


if __name__ == "__main__":
    checks = {"gitlab": gitlab, "junit": junit, "matcher": matcher, "action": action, "hooks": hooks}
    checks[sys.argv[1]](*sys.argv[2:])
