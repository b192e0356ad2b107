# lit tests: what users see. `tools/dev test` runs them; lit.site.cfg.py in the build folder names the programs.
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "parlance"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".parl"]
config.excludes = ["node_modules", "unit", "fuzz", "bench", "data", "tools", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.parlance_exec

source = config.parlance_source
shared = os.path.join(os.path.dirname(source), "shared")

# Nothing of the caller's terminal, locale or settings reaches a test.
config.environment = {
    "PATH": os.pathsep.join([config.parlance_bin, config.llvm_tools, "/usr/bin", "/bin"]),
    "HOME": config.parlance_exec,
    "TMPDIR": config.environment.get("TMPDIR", "/tmp"),
    "LC_ALL": "C.UTF-8",
    "TERM": "dumb",
    # A finding of a sanitizer ends by a signal, which `not` does not take for the failure that a test expects.
    "ASAN_OPTIONS": "abort_on_error=1",
    "UBSAN_OPTIONS": "abort_on_error=1:print_stacktrace=1",
    "ASAN_SYMBOLIZER_PATH": os.path.join(config.llvm_tools, "llvm-symbolizer"),
}

parlance = os.path.join(config.parlance_bin, "parlance")
tools = os.path.join(config.test_source_root, "tools")
editors = os.path.join(source, "tools", "editors")


def helper(name, *words):
    return " ".join([sys.executable, "-B", os.path.join(tools, name + ".py"), *words])


# Substitutions are applied in order: a longer name stands before its prefix.
config.substitutions += [
    # FILE...: what `check` reports is exactly what comments of the file expect (tools/check_exact.py).
    ("%check-exact", helper("check_exact", parlance)),
    ("%check-estimate", helper("check_estimate", parlance)),
    ("%check-report", helper("check_report")),
    ("%check-coverage", helper("coverage", parlance)),
    ("%check-lesson", helper("check_lesson", parlance)),
    ("%check-sarif", helper("check_sarif")),
    ("%check-ci", helper("check_ci")),
    ("%check-access", helper("check_access", parlance)),
    ("%check-cases", helper("check_cases")),
    ("%make-input", helper("make_input")),
    # STATUS COMMAND...: the command ends with exactly this status.
    ("%exits", helper("exits")),
    ("%parlance-gen", os.path.join(config.parlance_bin, "parlance-gen")),
    ("%parlance", parlance),
    ("%docs", os.path.join(source, "docs")),
    ("%data", os.path.join(source, "test", "data")),
    ("%source", source),
    ("%std-files", config.parlance_std_files),
    ("%shared", shared),
    ("%editors", editors),
]

# Material that a checkout may have beside it: tests that need it say `REQUIRES: shared`.
if os.path.isdir(shared):
    config.available_features.add("shared")
if shutil.which("shellcheck"):
    config.available_features.add("shellcheck")
if shutil.which("nvim"):
    config.available_features.add("nvim")
if subprocess.run(["/usr/bin/python3", "-c", "import pyte"], capture_output=True).returncode == 0:
    config.available_features.add("pyte")
if os.path.isdir(os.path.join(editors, "vscode", "node_modules")):
    config.available_features.add("vscode")
if shutil.which("chromium") and os.path.isdir(os.path.join(config.test_source_root, "Report", "browser", "node_modules")):
    config.available_features.add("browser")
if config.sanitized:
    config.available_features.add("sanitized")
