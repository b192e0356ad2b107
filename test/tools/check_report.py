#!/usr/bin/env python3
"""check_report.py PAGE [KEY=VALUE...]: a page of `parlance report` holds what it draws, and it agrees with itself.

KEY=VALUE pins single figures of its data, as in check_estimate.py: `timeline.stages=4`, `ranks.run=1`.
"""
import json
import re
import sys

errors = []


def expect(holds, message):
    if not holds:
        errors.append(message)


def self_contained(page):
    expect("{{" not in page, "a mark of the template is left")
    expect(page.count("<script") == 2 and page.count("</script>") == 2, "not two scripts: the data and the page's own")
    markup = re.sub(r"<(script|style)[ >].*?</\1>", "", page, flags=re.S)
    expect(not re.search(r"(src|href)=\"(?!#)", markup), "the page loads something")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    expect(re.fullmatch(r"default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='; "
                        r"base-uri 'none'; form-action 'none'", policy), f"the policy is {policy}")


def timeline(data):
    t, time = data["timeline"], data["estimate"].get("time")
    if "missing" in t:
        return
    whole = t["simulated_micro_batches"] == t["micro_batches"]
    total = t["makespan"] + t["reduction"] + t["optimizer"]
    expect(not whole or abs(total / time["step"] - 1) < 0.03, f"run pass by pass {total} s, the estimate says {time['step']} s")
    expect(len(t["rows"]) == min(t["stages"], 16), f"{len(t['rows'])} rows of {t['stages']} stages")
    for row in t["rows"]:
        free = 0
        for kind, micro_batch, chunk, start, end, wait, send, together in row["events"]:
            expect(0 <= kind <= 2 and 0 <= micro_batch < t["simulated_micro_batches"] and 0 <= chunk < max(t["chunks"], 2), "no such pass")
            expect(start >= free * (1 - 1e-6) or together, f"stage {row['stage']}: two passes at {start}")
            expect(0 <= wait <= end - start + 1e-6 * end, f"stage {row['stage']}: waits {wait} s in a pass of {end - start} s")
            free = end
        expect(free <= t["makespan"] * (1 + 1e-6), "a pass after the end")
    for begin, end in t["cuts"]:
        expect(0 <= begin < end <= t["makespan"] * (1 + 1e-9), f"the cut {begin} to {end}")
    expect(sum(len(row["events"]) for row in t["rows"]) <= 16 * 2 * 70 * 3, "too many passes to draw")


def roofline(data):
    for p in (data["roofline"] or {"products": []})["products"]:
        expect(p["rate"] <= p["roof"] * (1 + 1e-6), f"{p['layer']} {p['pass']} is above the roof")
        expect(abs(p["flops"] / p["bytes"] / p["intensity"] - 1) < 1e-5, f"{p['layer']}: intensity")
        expect(abs(p["groups"] * 2 * p["rows"] * p["columns"] * p["inner"] / p["flops"] - 1) < 1e-5, f"{p['layer']}: operations")


def ranks(data):
    r = data["ranks"]
    if not r:
        return
    expect(r["cells"] <= 1024 and r["cells"] * r["run"] <= r["world"] + r["run"], "too many squares")
    for kind in r["kinds"]:
        expect(kind["size"] > 1, f"{kind['name']}: a group of one")
        for key in ("group", "member"):
            expect(len(kind[key]) == r["cells"], f"{kind['name']}.{key}")
            expect((key + "_end" in kind) == (r["run"] > 1), f"{kind['name']}.{key}_end")
        if r["run"] == 1:
            expect(sorted(kind["group"]) == sorted(list(range(r["world"] // kind["size"])) * kind["size"]), f"{kind['name']}: groups")


def lookup(data, path):
    for key in path.split("."):
        data = data[int(key)] if isinstance(data, list) else data.get(key, "absent") if isinstance(data, dict) else "absent"
    return data


def main():
    path, *words = sys.argv[1:]
    with open(path, encoding="utf-8") as f:
        page = f.read()
    self_contained(page)
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
    expect(len(data["frames"]) == len(data["check"]["diagnostics"]), "diagnostics without their lines")
    for part in (timeline, roofline, ranks):
        part(data)
    for word in words:
        key, wanted = word.split("=", 1)
        found = lookup(data, key)
        text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
        expect(text == wanted, f"{key} is {text}, not {wanted}")
    for message in errors[:20]:
        print(f"{path}: {message}", file=sys.stderr)
    sys.exit(bool(errors))


main()
