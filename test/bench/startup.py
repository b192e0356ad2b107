#!/usr/bin/env python3
"""Whole-process times of `parlance check`, beside an empty C++ program built the same way.

usage: startup.py BIN_FOLDER EXAMPLE.parl [--runs N]

Prints three ratios with their targets: start-up (at most 3 times the empty program), a 1,000-line file (at most 25 ms
more than the example), and time per line at 10,000 and 100,000 lines (linear: the second at most 1.5 times the first).
Exits with 1 when one is missed.
"""
import argparse
import os
import statistics
import sys
import tempfile
import time

QUIET = [
    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
]


def milliseconds(command, status=0):
    """Runs a program to its end. An unexpected exit status ends the benchmark: a refused input times nothing."""
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, {"LC_ALL": "C.UTF-8"}, file_actions=QUIET)
    _, code = os.waitpid(pid, 0)
    took = (time.perf_counter() - start) * 1e3
    if os.waitstatus_to_exitcode(code) != status:
        sys.exit(f"startup.py: {' '.join(command)}: exit {os.waitstatus_to_exitcode(code)}, expected {status}")
    return took


def medians(commands, runs):
    """Medians of interleaved runs, so that a busy moment of the machine hits all commands alike."""
    for command in commands:
        milliseconds(command)  # warms the page cache
    times = [[] for _ in commands]
    for _ in range(runs):
        for command, into in zip(commands, times):
            into.append(milliseconds(command))
    return [statistics.median(t) for t in times]


def block(n):
    """Ten lines that use most of the language: a function, values, a requirement, a layout, comments."""
    return f"""\
# block {n}
fn bytes_{n}(count: elem, width: B/elem) -> B = count * width
let count_{n} = {n % 90 + 1}M elem
let size_{n}: B = bytes_{n}(count_{n}, 2 B/elem) + {n % 7} kB   # and a header
require size_{n} < 80 GB * 2^3 "block {n} fits"
layout layout_{n} {{
  tp = {1 << n % 4}, pp = {1 << n % 3}
  zero = 1
}}

"""


def generate(folder, lines):
    path = os.path.join(folder, f"{lines}.parl")
    with open(path, "w", encoding="utf-8") as out:
        for n in range(lines // 10):
            out.write(block(n))
    return path


def report(name, value, limit):
    print(f"{name:44} {value:8.2f}   target {limit:g}   {'ok' if value <= limit else 'MISSED'}")
    return value <= limit


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("example")
    parser.add_argument("--runs", type=int, default=200)
    args = parser.parse_args()
    parlance, empty = os.path.join(args.bin, "parlance"), os.path.join(args.bin, "bench-empty")

    with tempfile.TemporaryDirectory() as folder:
        thousand, ten, hundred = (generate(folder, n) for n in (1_000, 10_000, 100_000))
        floor, start = medians([[empty], [parlance, "check", args.example]], args.runs)
        print(f"empty program {floor:.2f} ms, check of the example {start:.2f} ms (medians of {args.runs})")
        good = report("check of the example / empty program", start / floor, 3)

        (small,) = medians([[parlance, "check", thousand]], max(5, args.runs // 10))
        print(f"1,000 lines {small:.2f} ms")
        good &= report("1,000 lines beyond the example, ms", small - start, 25)

        middle, large = medians([[parlance, "check", ten], [parlance, "check", hundred]], 5)
        per_line = [(t - start) * 1e3 / n for t, n in ((small, 1_000), (middle, 10_000), (large, 100_000))]
        print(f"10,000 lines {middle:.1f} ms, 100,000 lines {large:.1f} ms; "
              f"per line {per_line[0]:.2f}, {per_line[1]:.2f}, {per_line[2]:.2f} us")
        good &= report("time per line, 100,000 lines / 10,000 lines", per_line[2] / per_line[1], 1.5)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
