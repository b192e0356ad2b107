#!/usr/bin/env python3
"""check_sarif.py SCHEMA REPORT.sarif REPORT.json: a SARIF report is valid and says what the JSON report of the same run does.

Columns are worked out anew from the files, in UTF-16 units. Prints how many results were compared.
"""
import json
import re
import sys
from pathlib import Path
from urllib.parse import unquote

import jsonschema


def utf16_column(path, line, column):
    text = Path(path).read_text(encoding="utf-8").split("\n")[line - 1]
    return len(text[: column - 1].encode("utf-16-le")) // 2 + 1


def region(place):
    return {
        "startLine": place["line"],
        "startColumn": utf16_column(place["file"], place["line"], place["column"]),
        "endLine": place["endLine"],
        "endColumn": utf16_column(place["file"], place["endLine"], place["endColumn"]),
    }


def check_location(location, place):
    artifact = location["physicalLocation"]["artifactLocation"]
    assert artifact["uriBaseId"] == "%SRCROOT%", artifact
    assert not re.match(r"/|[a-z]+:", artifact["uri"]), artifact["uri"]
    assert Path(unquote(artifact["uri"])).samefile(place["file"]), (artifact["uri"], place["file"])
    assert location["physicalLocation"]["region"] == region(place), (location, place)


def check_result(result, found, rules):
    assert result["ruleId"] == found["code"] == rules[result["ruleIndex"]]["id"]
    assert rules[result["ruleIndex"]]["name"] == found["name"]
    assert result["level"] == {"error": "error", "warning": "warning", "hint": "note"}[found["severity"]]
    assert result["message"]["text"].split("\n")[0] == found["message"]
    if found["file"]:
        check_location(result["locations"][0], found)
    else:
        assert "locations" not in result
    marked = [p for p in found.get("labels", []) + found["notes"] if p["file"]]
    for related, place in zip(result.get("relatedLocations", []), marked, strict=True):
        assert related["message"]["text"] == place["message"]
        check_location(related, place)
    edited = [f for f in found["fixes"] if f["edits"]]
    for fix, told in zip(result.get("fixes", []), edited, strict=True):
        assert fix["description"]["text"].startswith(told["title"])
        changes = [r for change in fix["artifactChanges"] for r in change["replacements"]]
        for change, edit in zip(changes, told["edits"], strict=True):
            assert change["deletedRegion"] == region(edit)
            assert change["insertedContent"]["text"] == edit["newText"]


def main():
    schema, report, told = (json.loads(Path(p).read_text(encoding="utf-8")) for p in sys.argv[1:4])
    jsonschema.Draft4Validator(schema).validate(report)
    (run,) = report["runs"]
    assert run["columnKind"] == "utf16CodeUnits"
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        assert rule["shortDescription"]["text"] and rule["fullDescription"]["text"], rule["id"]
        assert rule["help"]["text"].startswith(rule["id"]) and rule["help"]["markdown"], rule["id"]
    for result, found in zip(run["results"], told["diagnostics"], strict=True):
        check_result(result, found, rules)
    prints = [r["partialFingerprints"]["parlanceFinding/v1"] for r in run["results"]]
    assert len(set(prints)) == len(prints), "two results have one fingerprint"
    print(f"{len(prints)} results, {len(rules)} rules")


if __name__ == "__main__":
    main()
