#!/usr/bin/env python3
"""check_estimate.py PARLANCE FILE [--job NAME] [--status N] [KEY=VALUE...]: `parlance estimate --json` keeps its contract.

All keys are there, parts that do not apply are absent, sums and products agree. KEY=VALUE pins single figures:
`layout.dp=2`, `memory.fits=false`, `overlap.tp=absent`, `params.total=70553706496`; `mfu=0.44~0.01` within an amount.
"""
import json
import math
import subprocess
import sys

ALWAYS = {
    "params": "total active embedding trainable",
    "layout": "world nodes tp sp pp vpp cp ep etp dp zero shard recompute micro_batches schedule",
    "batch": "seq_len global_sequences global_tokens micro_sequences tokens_per_replica tokens_per_gpu",
    "memory": "device_bytes usable_bytes peak_bytes fits worst_stage stages phases",
    "flops": "convention model_per_token hardware_per_token recompute_alpha conventions",
    "time": "step compute bubble exposed_comm optimizer tokens_per_second tokens_per_second_per_gpu",
}
STAGE = "stage layers params weights gradients optimizer activations logits buffers overhead peak peak_phase in_flight"
PARTS = "weights gradients optimizer activations logits buffers overhead"
OVERLAP = "comm compute ratio hidden exposed bytes bandwidth link group"
PHASES = ["init", "forward", "backward", "optimizer", "steady_forward", "steady_backward"]
CONVENTIONS = ["palm", "megatron", "nanotron", "torchtitan", "llm_foundry", "six_pt"]

errors = []


def expect(holds, message):
    if not holds:
        errors.append(message)


def close(a, b, tolerance=1e-6):
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-12)


def keys(e):
    for key in ("version", "job", "model", "framework", "mfu", "hfu", "bubble", "overlap", "assumptions"):
        expect(key in e, f"no `{key}`")
    for part, names in ALWAYS.items():
        for name in names.split():
            expect(name in e.get(part, {}), f"no `{part}.{name}`")
    for stage in e["memory"]["stages"]:
        expect(not set(STAGE.split()) - set(stage), f"stage {stage.get('stage')} lacks {set(STAGE.split()) - set(stage)}")
    for name, part in e["overlap"].items():
        expect(not set(OVERLAP.split()) - set(part), f"overlap.{name} lacks {set(OVERLAP.split()) - set(part)}")
        expect(not {"size", "stride", "per_node", "nodes"} - set(part.get("group", {})), f"overlap.{name}.group lacks a key")
    for a in e["assumptions"]:
        expect(not {"name", "value", "unit", "source", "overridden"} - set(a), f"the assumption {a} lacks a key")


def layout(e):
    l, b = e["layout"], e["batch"]
    expect(l["world"] == l["tp"] * l["pp"] * l["cp"] * l["dp"], "world is not tp * pp * cp * dp")
    expect(b["global_tokens"] == b["global_sequences"] * b["seq_len"], "global_tokens is not sequences * seq_len")
    expect(b["global_sequences"] == b["micro_sequences"] * l["micro_batches"] * l["dp"], "the batch is not micro * accum * dp")
    expect(close(b["tokens_per_replica"], b["global_tokens"] / l["dp"]), "tokens_per_replica is not tokens / dp")
    expect(close(b["tokens_per_gpu"] * l["tp"] * l["pp"] * l["cp"], b["tokens_per_replica"]), "tokens_per_gpu")
    for name, applies in {"tp": l["tp"] > 1, "pp": l["pp"] > 1, "cp": l["cp"] > 1, "ep": l["ep"] > 1,
                          "dp": l["dp"] * l["cp"] > 1 and l["zero"] < 3, "zero3": l["dp"] * l["cp"] > 1 and l["zero"] == 3}.items():
        expect((name in e["overlap"]) == applies, f"overlap.{name} is {'absent' if applies else 'there'}")
    for name in e["overlap"]:
        group = e["overlap"][name].get("group", {})
        if name in ("tp", "pp", "cp", "ep"):
            expect(group.get("size") == l[name], f"the {name} group has {group.get('size')} ranks, not {l[name]}")
        expect(group.get("per_node", 0) * group.get("nodes", 0) >= group.get("size", 0), f"the {name} group does not fit its nodes")


def memory(e):
    m = e["memory"]
    stages = m["stages"]
    expect(len(stages) == e["layout"]["pp"], f"{len(stages)} stages of {e['layout']['pp']}")
    expect([s["stage"] for s in stages] == list(range(len(stages))), "stages are not numbered from 0")
    for s in stages:
        for part in PARTS.split():
            expect(0 <= s[part] <= s["peak"], f"stage {s['stage']}: {part} {s[part]} is not within the peak {s['peak']}")
            expect(isinstance(s[part], int), f"stage {s['stage']}: {part} is not an integer")
        expect(s["peak_phase"] in PHASES, f"no phase `{s['peak_phase']}`")
        expect(s["peak"] <= sum(s[p] for p in PARTS.split()), f"stage {s['stage']}: the peak is above the sum of its parts")
    expect(m["peak_bytes"] == max(s["peak"] for s in stages), "peak_bytes is not the largest peak of a stage")
    expect(stages[m["worst_stage"]]["peak"] == m["peak_bytes"], "worst_stage is another")
    expect(m["fits"] == (m["peak_bytes"] <= m["usable_bytes"]), "fits disagrees with peak and usable")
    expect(0.9 < m["usable_bytes"] / m["device_bytes"] < 1.1, "usable and marketed capacity are far apart")
    expect([p["phase"] for p in m["phases"]] == PHASES, f"phases are {[p['phase'] for p in m['phases']]}")
    expect(max(p["bytes"] for p in m["phases"]) == m["peak_bytes"], "no phase reaches the peak")
    for key in ("device_bytes", "usable_bytes", "peak_bytes"):
        expect(isinstance(m[key], int), f"memory.{key} is not an integer")


def time(e):
    t, f = e["time"], e["flops"]
    expect(0 < t["compute"] <= t["step"], "compute is not within the step")
    parts = t["compute"] + t["bubble"] + t["exposed_comm"] + t["optimizer"]
    expect(close(parts, t["step"], 1e-3), f"the step is {t['step']}, its parts are {parts}")
    if "measured" not in e:  # otherwise the rate is that of the run
        expect(close(t["tokens_per_second"], e["batch"]["global_tokens"] / t["step"]), "tokens_per_second")
    expect(close(t["tokens_per_second_per_gpu"] * e["layout"]["world"], t["tokens_per_second"]), "tokens_per_second_per_gpu")
    expect(0 < e["mfu"] <= e["hfu"] <= 1, f"mfu {e['mfu']}, hfu {e['hfu']}")
    expect(sorted(f["conventions"]) == sorted(CONVENTIONS), f"conventions are {list(f['conventions'])}")
    model, counted = f["model_per_token"], f["conventions"][f["convention"]]
    if e["params"]["trainable"] < e["params"]["total"]:  # 4 N for 6 N, attention and adapters in full
        expect(2 / 3 * counted < model < counted, "model_per_token has products for gradients of frozen weights")
    else:
        expect(close(model, counted), "model_per_token is of another convention")
    expect(f["hardware_per_token"] >= f["model_per_token"] * (1 - 1e-9), "less on the hardware than of the model")
    for name, o in e["overlap"].items():
        expect(close(o["ratio"], o["comm"] / o["compute"], 1e-3), f"overlap.{name}.ratio is not comm / compute")
        expect(o["exposed"] >= 0 and o["hidden"] >= 0, f"overlap.{name} has negative times")
    expect(e["params"]["active"] <= e["params"]["total"], "more active than total parameters")


def lookup(e, path):
    for key in path.split("."):
        if isinstance(e, list):  # by position, or by name
            e = e[int(key)] if key.isdigit() else next((x for x in e if x.get("name") == key), "absent")
        else:
            e = e.get(key, "absent") if isinstance(e, dict) else "absent"
    return e


def pinned(e, word):
    path, wanted = word.split("=", 1)
    found = lookup(e, path)
    if "~" in wanted:
        value, tolerance = map(float, wanted.split("~"))
        expect(isinstance(found, (int, float)) and abs(found - value) <= tolerance, f"{path} is {found}, not {wanted}")
    else:
        text = json.dumps(found) if not isinstance(found, str) else found
        expect(text == wanted, f"{path} is {text}, not {wanted}")


def main():
    parlance, path, *words = sys.argv[1:]
    command, status = [parlance, "estimate", path, "--json"], 0
    while words and words[0].startswith("--"):
        if words[0] == "--status":
            status = int(words[1])
        else:
            command += words[:2]
        words = words[2:]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    expect(done.returncode == status, f"exit status {done.returncode}, not {status}:\n{done.stderr}")
    try:
        e = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{path}: no JSON on stdout: {done.stdout[:200]!r} {done.stderr}")
    keys(e)
    if not errors:
        for part in (layout, memory, time):
            part(e)
    for word in words:
        pinned(e, word)
    for message in errors:
        print(f"{path}: {message}", file=sys.stderr)
    sys.exit(bool(errors))


main()
