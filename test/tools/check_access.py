"""check_access.py PARLANCE: what a checked repository may read and show (docs/security.md), tried in a folder of its own.

Each place outside holds a word or a number that must appear in no output of any command, format or editor request.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PARLANCE = os.path.abspath(sys.argv[1])
Top = pathlib.Path(tempfile.mkdtemp(prefix="parlance-access-")).resolve()
Faults = []
SECRETS = ["CANARY", "31337", "31338", "4224", "11040"]
TEXTS = SECRETS[:1]  # what was asked for is computed from the numbers: shapes of products, a batch
FORMATS = ["text", "concise", "json", "sarif", "github", "gitlab", "junit"]


def put(name, text):
    path = Top / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def link(name, target):
    path = Top / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def run(*words, cwd="repo", env=None, stdin=""):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(Top / "home"), **(env or {})}
    done = subprocess.run([PARLANCE, *words], cwd=Top / cwd, env=environment, input=stdin, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def objects(value):
    """Every object in a value read from JSON."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from objects(inner)


def expect(what, good, output=""):
    if not good:
        Faults.append(f"{what}\n{output}")


def hides(what, output, secrets=SECRETS):
    for secret in secrets:
        expect(f"{what} shows {secret}", secret not in output, output)


def job(use="", blocks="", model="llama2_7b", more=""):
    return f"""use std/hardware
use std/models
{use}
cluster pod {{ node = 8 * h100_sxm, nodes = 3, inter = infiniband_ndr }}
layout plain {{ tp = 6, dp = auto, zero = 0 }}
{blocks}
job pretrain {{
  model = {model}, cluster = pod, layout = plain, target = megatron
  seq_len = 4096 tok/seq
  batch {{ global = 4Mi tok, micro = 1 seq }}
  {more}
}}
"""


def imported(path, more="require model.heads > 100"):
    return job(blocks=f'model m = import "{path}"', model="m", more=more)


def lsp(path, text):
    """Everything that an editor shows at every word of a document."""
    uri = path.as_uri()
    sent = [{"method": "initialize", "id": 0, "params": {"processId": None, "rootUri": None, "capabilities": {}}},
            {"method": "initialized", "params": {}},
            {"method": "textDocument/didOpen",
             "params": {"textDocument": {"uri": uri, "languageId": "parlance", "version": 1, "text": text}}}]
    where = [(i, j) for i, line in enumerate(text.split("\n")) for j in range(0, len(line) + 1, 3)]
    for i, j in where:
        for method in ["hover", "completion", "signatureHelp", "prepareRename", "codeAction"]:
            at = {"line": i, "character": j}
            params = {"textDocument": {"uri": uri}, "position": at}
            if method == "codeAction":
                params = {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}}
            sent.append({"method": "textDocument/" + method, "id": len(sent), "params": params})
    for method in ["documentSymbol", "codeLens", "foldingRange"]:
        sent.append({"method": "textDocument/" + method, "id": len(sent), "params": {"textDocument": {"uri": uri}}})
    end = {"line": text.count("\n"), "character": 0}
    sent.append({"method": "textDocument/inlayHint", "id": len(sent),
                 "params": {"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0}, "end": end}}})
    sent += [{"method": "shutdown", "id": len(sent)}, {"method": "exit"}]
    return run("lsp", "--lit-test", stdin="\n// -----\n".join(json.dumps({"jsonrpc": "2.0", **m}) for m in sent))[1]


# --- The places
put("repo/.git/config", '[remote "origin"]\n url = https://CANARY@example.org\n')
put("home/.docker/config.json", '{"auths": {"CANARY.example.org": {"auth": "CANARY"}}}')
put("cache/config.json", json.dumps({
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4224, "num_hidden_layers": 31,
    "num_attention_heads": 33, "num_key_value_heads": 33, "vocab_size": 31337, "intermediate_size": 11040,
    "rms_norm_eps": 1e-5, "max_position_embeddings": 4096}))
put("cache/wrong.json", '{"model_type": "llama", "hidden_size": "CANARY", "CANARY": 31337}')
LIBRARY = """use std/models
let canary_let = 31337
fn canary_fn(x: int) -> int = x + 31338
rule canary_rule PL9001 on layout.tp {
  when = layout.tp == 6
  message = "CANARY {layout.tp}"
  why = "CANARY"
}
layout canary_layout { tp = 6 }
"""
put("cache/lib.parl", LIBRARY)
put("cache/broken.parl", LIBRARY + "layout CANARY { tp = = 3 }\n")
put("cache/ds.json", '{"zero_optimization": {"stage": 9, "CANARY": 31337}, "train_batch_size": 31337}')
os.mkfifo(Top / "repo/pipe.json")

# --- Nothing outside is shown, whatever names it, in no format
TARGETS = {
    "passwd.parl": job('use "/etc/passwd"'),
    "git.parl": job('use "./.git/config"'),
    "gitjson.parl": imported("./.git/config"),
    "docker.parl": imported(Top / "home/.docker/config.json"),
    "environ.parl": imported("/proc/self/environ"),
    "pipe.parl": imported("./pipe.json"),
    "device.parl": imported("/dev/zero"),
    "model.parl": imported(Top / "cache/config.json", "require model.heads > 100\n  let z = model.vocab * 2\n  "
                           "require z < 3\n  warn model.hidden < 3 elem/tok"),
    "wrong.parl": imported(Top / "cache/wrong.json"),
    "library.parl": job(f'use "{Top}/cache/lib.parl"', "let q = canary_let + 1", more="require canary_fn(3) < 2\n"
                        "  require canary_let < 2\n  let w = canry_let").replace("CANARY", ""),
    "broken.parl": job(f'use "{Top}/cache/broken.parl"'),
    "linked.parl": job('use "./link.parl"'),
    "accelerate.yaml": "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\nnum_processes: 8\nnum_machines: 1\n"
                       f"deepspeed_config:\n  deepspeed_config_file: {Top}/cache/ds.json\n",
    "launch.sh": "source /etc/passwd\n. .git/config\nsource ../cache/lib.parl\n"
                 "torchrun --nproc-per-node 8 pretrain_gpt.py --num-layers $LAYERS --hidden-size 4096\n",
    "parlance.toml": f'baseline = "{Top}/cache/ds.json"\n[policy]\nuse = ["{Top}/cache/lib.parl"]\n',
}
link("repo/link.parl", "/etc/passwd")
link("repo/linked_config.json", Top / "cache/wrong.json")
for name, text in TARGETS.items():
    if name != "parlance.toml":
        put("repo/" + name, text)
for name in [*TARGETS, "link.parl", "linked_config.json"]:
    if name == "parlance.toml":
        put("repo/" + name, TARGETS[name])
    for env in [{}, {"CI": "true"}]:
        for form in FORMATS:
            code, output = run("check", "--format", form, name, env=env)
            hides(f"check --format {form} {name} {env}", output)
            expect(f"check {name} hides root", "root:" not in output, output)
            expect(f"check {name}: ends with {code}", code in (0, 1, 2), output)
        for command in [["estimate"], ["estimate", "--json"], ["report", "-o", "-"], ["import", "--cluster", "h100_sxm*8*1"],
                        ["lower", "--to", "megatron", "-o", str(Top / "out"), "--explain-options"]]:
            hides(f"{command} {name} {env}", run(*command, name, env=env)[1], TEXTS)
    for line in range(1, 16):
        hides(f"explain {name}:{line}", run("explain", f"{name}:{line}")[1])
(Top / "repo/parlance.toml").unlink()
for name in ["model.parl", "library.parl", "broken.parl", "docker.parl"]:
    shown = lsp(Top / "repo" / name, TARGETS[name]).replace("canary_", "")
    hides(f"editor: {name}", shown)
    expect(f"editor: {name} answers", '"id": 3' in shown, shown[:2000])
put("repo/test.parl", f'use std/example\nuse "{Top}/cache/lib.parl"\ntest canary_rul {{ fires a from example_job {{ }} }}\n')
code, output = run("check", "test.parl")
expect("a rule outside is not proposed", "canary_rul`" in output and "canary_rule" not in output, output)
code, output = run("check", "--format", "json", "model.parl")
hidden = [d for d in objects(json.loads(output)) if d.get("text") == "…"]
expect("what is not shown has no number", hidden and all(d["value"] is None for d in hidden), output)
for name in ["docker", "wrong", "broken"]:
    code, output = run("check", f"{name}.parl")
    expect(f"{name}: says the path and a code", code == 1 and "its text is not shown" in output and " has PL" in output, output)
code, output = run("check", "model.parl")
expect("a model's config outside is used", "does not divide the … attention heads" in output, output)
code, output = run("check", "model.parl", env={"CI": "true"})
expect("with CI nothing outside is read", "nothing outside is read here" in output and "attention heads" not in output, output)
expect("--strict-paths is the same", run("check", "--strict-paths", "model.parl")[1] == output, output)

# --- What the user names or allows is inside, what a repository says is not
code, output = run("check", "--allow-outside", str(Top / "cache"), "model.parl")
expect("--allow-outside shows it", "31337" in output and "33 attention heads" in output, output)
code, output = run("check", "--allow-outside", str(Top / "cache"), "model.parl", env={"CI": "true"})
expect("--allow-outside holds with CI", "33 attention heads" in output, output)
code, output = run("check", "model.parl", str(Top / "cache/config.json"))
expect("a named file is inside, with its folder", "33 attention heads" in output, output)
put("home/.config/parlance/config.toml", f'allow-outside = ["{Top}/cache"]\n')
expect("the user's settings allow", "33 attention heads" in run("check", "model.parl")[1])
put("home/.config/parlance/config.toml", 'allow = ["/"]\n')
code, output = run("check", "model.parl")
expect("a wrong key of the user's settings", code == 2 and "`allow`" in output, output)
(Top / "home/.config/parlance/config.toml").unlink()
put("repo/config/parlance/config.toml", f'allow-outside = ["{Top}/cache"]\n')
code, output = run("check", "model.parl", env={"XDG_CONFIG_HOME": str(Top / "repo/config")})
expect("settings in the repository do not count", "33 attention heads" not in output, output)
code, output = run("check", "--allow-outside", "nowhere", "model.parl")
expect("--allow-outside wants a folder", code == 2 and "takes a folder" in output, output)

# --- Roots
put("mono/.git/HEAD", "ref")
put("mono/team/lib.parl", "layout shared { tp = 8 }\n")
put("mono/jobs/a.parl", 'use "../team/lib.parl"\nlayout l from shared { }\n')
expect("a monorepo", run("check", "a.parl", cwd="mono/jobs")[0] == 0)
put("mono/sub/.git", "gitdir: ../.git/modules/sub\n")
put("mono/sub/a.parl", 'use "../team/lib.parl"\nlayout l from shared { }\n')
expect("a submodule belongs to the repository around it", run("check", "a.parl", cwd="mono/sub")[0] == 0)
put("tree/.git", f"gitdir: {Top}/mono/.git/worktrees/tree\n")
put("tree/a/a.parl", 'use "../b/lib.parl"\nlayout l from shared { }\n')
put("tree/b/lib.parl", "layout shared { tp = 8 }\n")
expect("a worktree", run("check", "a.parl", cwd="tree/a")[0] == 0)
put("tree/a/git.parl", 'use "../.git"\n')
expect("a worktree's .git", "is never read" in run("check", "a/git.parl", cwd="tree")[1])
put("plain/a/a.parl", 'use "../b/lib.parl"\nlayout l from shared { }\nlayout k { tp = shrewd }\n')
put("plain/b/lib.parl", "layout shared { tp = 8 }\nlet shrew = 3\n")
code, output = run("check", "a.parl", cwd="plain/a")
expect("without a repository a file's own folder; names outside are not proposed", "`shrew`" not in output, output)
put("plain/parlance.toml", "")
code, output = run("check", "a.parl", cwd="plain/a")
expect("settings around it make a project", "`shrew`" in output, output)
put("bare/.git/HEAD", "ref")
for name in ["HEAD", "objects/x", "refs/x", "config.json"]:
    put("bare/store.git/" + name, "{}")
put("bare/a.parl", 'model m = import "./store.git/config.json"\n')
expect("a bare repository", "is never read" in run("check", "a.parl", cwd="bare")[1])
link("repo/inside.parl", Top / "repo/real.parl")
put("repo/real.parl", "layout shared { tp = 8 }\n")
put("repo/uses_link.parl", 'use "./inside.parl"\nlayout l from shared { }\n')
expect("a link inside", run("check", "uses_link.parl")[0] == 0)
link("snapshot/config.json", Top / "cache/config.json")
expect("a link that the user names, in no project", "is a link" not in run("check", "config.json", cwd="snapshot")[1])
expect("not with CI", "is a link" in run("check", "config.json", cwd="snapshot", env={"CI": "1"})[1])
put("walked/.git/HEAD", "ref")
put("walked/a.parl", "layout shared { tp = 8 }\n")
link("walked/run.sh", Top / "cache/lib.parl")
code, output = run("check", ".", cwd="walked")
expect("a link out of a folder that is walked is named", code == 0 and "hint: `run.sh` is not read" in output, output)
link("repo/format.parl", Top / "plain/b/lib.parl")
before = (Top / "plain/b/lib.parl").read_text()
code, output = run("fmt", "format.parl")
expect("fmt does not follow a link out", code == 2 and (Top / "plain/b/lib.parl").read_text() == before, output)

# --- What is written
put("repo/good.parl", (pathlib.Path(__file__).parents[2] / "docs/examples/llama3-70b.parl").read_text())
lower = ["lower", "good.parl", "--to", "megatron", "-o", str(Top / "launch")]
expect("lower writes anywhere", run(*lower)[0] == 0)
names = sorted(p.name for p in (Top / "launch").iterdir() if not p.name.startswith("."))
expect("and over its own files", run(*lower)[0] == 0 and names != [])
script = Top / "launch" / names[-1]
script.write_text("mine\n")
code, output = run(*lower)
expect("not over a file of somebody else", code == 2 and script.read_text() == "mine\n" and "--force" in output, output)
expect("but with --force", run(*lower, "--force")[0] == 0 and script.read_text() != "mine\n")
script.unlink()
script.symlink_to(Top / "victim")
(Top / "victim").write_text("mine\n")
code, output = run(*lower, "--force")
expect("never through a link", code == 2 and (Top / "victim").read_text() == "mine\n" and "a link" in output, output)

shutil.rmtree(Top)
for fault in Faults[:10]:
    print("FAULT:", fault[:3000])
sys.exit(len(Faults) > 0)
