#!/usr/bin/env python3
"""Times of `parlance lsp` over its real protocol, beside `parlance check` of the same file.

usage: lsp.py BIN_FOLDER EXAMPLE.parl [--edits N]

The file is the example with a job, filled up to 500 lines. Prints with their targets: start to first diagnostics, edit to
diagnostics (median and 99th percentile), hover and completion, memory after N edits. Exits with 1 when one is missed.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

LINES = 500


class Client:
    def __init__(self, command):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids = 0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.server.stdout.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            sys.exit("lsp.py: the server has ended")
        return json.loads(self.server.stdout.read(length))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params})
        while (answer := self.receive()).get("id") != self.ids or "method" in answer:
            pass
        if "error" in answer:
            sys.exit(f"lsp.py: {method}: {answer['error']}")
        return answer["result"]

    def diagnostics(self, version):
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["version"] == version:
                return message["params"]["diagnostics"]

    def memory(self):
        """Resident bytes of the server."""
        with open(f"/proc/{self.server.pid}/statm", encoding="ascii") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def filled(example):
    """The example's job, and so many lines of the other declarations that the file has LINES."""
    with open(example, encoding="utf-8") as f:
        text = f.read()
    n = 0
    while (missing := LINES - text.count("\n")) > 0:
        n += 1
        block = (f"# block {n}\nfn bytes_{n}(count: elem, width: B/elem) -> B = count * width\n"
                 f"let count_{n} = {n % 90 + 1}M elem\nlet size_{n}: B = bytes_{n}(count_{n}, 2 B/elem) + 3 kB\n"
                 f'require size_{n} < 80 GB * 2^3 "block {n} fits"\n'
                 f"layout layout_{n} {{\n  tp = {1 << n % 4}, pp = {1 << n % 3}\n  zero = 1\n}}\n")
        text += "".join(block.splitlines(keepends=True)[:missing])
    return text


def spent(action):
    start = time.perf_counter()
    result = action()
    return (time.perf_counter() - start) * 1e3, result


def report(name, value, limit):
    print(f"{name:44} {value:8.2f}   target {limit:g}   {'ok' if value <= limit else 'MISSED'}")
    return value <= limit


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("example")
    parser.add_argument("--edits", type=int, default=10_000)
    args = parser.parse_args()
    parlance = os.path.join(args.bin, "parlance")
    text = filled(args.example)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "job.parl")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        checks = [spent(lambda: subprocess.run([parlance, "check", path], stderr=subprocess.DEVNULL))[0]
                  for _ in range(20)]
        print(f"check of {text.count(chr(10))} lines with a job, whole process: {statistics.median(checks):.2f} ms")
        uri = "file://" + path

        def start():
            client = Client([parlance, "lsp"])
            client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
            client.notify("initialized", {})
            client.notify("textDocument/didOpen", {"textDocument": {
                "uri": uri, "languageId": "parlance", "version": 1, "text": text}})
            client.diagnostics(1)
            return client

        starts = []
        for _ in range(10):
            took, client = spent(start)
            starts.append(took)
            if len(starts) < 10:
                client.request("shutdown", None)
                client.notify("exit", None)
                client.server.wait()
        good = report("start to first diagnostics, ms", statistics.median(starts), 50)

        lines = text.split("\n")
        line, column = next((i, m.start(1)) for i, l in enumerate(lines) if (m := re.match(r"\s*tp\s*=\s*(\d)", l)))

        def edit(version):
            # One character is typed and taken back: the job is right, and then it is not.
            span = {"start": {"line": line, "character": column},
                    "end": {"line": line, "character": column + (version % 2)}}
            client.notify("textDocument/didChange", {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"range": span, "text": "" if version % 2 else "1"}]})
            return client.diagnostics(version)

        times = []
        for version in range(2, args.edits + 2):
            took, found = spent(lambda v=version: edit(v))
            times.append(took)
            if bool(found) == bool(version % 2):
                sys.exit(f"lsp.py: version {version} has {len(found)} diagnostics")
        good &= report("edit to diagnostics, median, ms", statistics.median(times), 15)
        good &= report("edit to diagnostics, 99th percentile, ms", percentile(times, 0.99), 30)

        at = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        for name, method in (("hover", "textDocument/hover"), ("completion", "textDocument/completion")):
            took = [spent(lambda m=method: client.request(m, at))[0] for _ in range(200)]
            good &= report(f"{name}, median, ms", statistics.median(took), 10)
        good &= report(f"memory after {args.edits} edits, MB", client.memory() / 1e6, 100)
        client.request("shutdown", None)
        client.notify("exit", None)
        if client.server.wait():
            sys.exit("lsp.py: the server did not end well")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
