#!/usr/bin/env python3
"""make_input.py KIND FILE [NUMBER]: files that a repository should not hold."""
import os
import sys

TEXT = "# größer\nlayout l {\n  tp = 8\n  pp = wrong\n}\n"


def nested(opening, closing):
    return lambda n: ("let a = " + opening * n + "1" + closing * n + "\n").encode()


KINDS = {
    "binary": lambda n: b"\x7fELF\x02\x01\x01\x00\x00 tp = 8\n",
    "utf8": lambda n: b"let a = 1\nlet b = \"caf\xe9\"\n",
    "utf16": lambda n: TEXT.encode("utf-16"),
    "bom": lambda n: TEXT.encode("utf-8-sig"),
    "crlf": lambda n: TEXT.replace("\n", "\r\n").encode(),
    "crlf-mixed": lambda n: TEXT.replace("8\n", "8\r\n").encode(),
    "no-newline": lambda n: TEXT[:-2].encode() + b"}",
    "empty": lambda n: b"",
    "blank": lambda n: b"\n\n  \t\n# nothing\n",
    "megabytes": lambda n: b"# a comment line that fills a large file\n" * (n * 1_000_000 // 41 + 1),
    "braces": lambda n: b"layout l { " + b"a { " * n + b"}" * n + b" }\n",
    "open-braces": lambda n: b"layout l { " + b"a { " * n + b"\n",
    "parens": nested("(", ")"),
    "open-parens": nested("(", ""),
    "brackets": nested("[", "]"),
    "minus": lambda n: b"let a = " + b"- " * n + b"1\n",
    "not": lambda n: b"let a = " + b"not " * n + b"true\n",
    "if": lambda n: b"let a = " + b"if true then 1 else " * n + b"1\n",
    "power": lambda n: b"let a = 1" + b" ^ 1" * n + b"\n",
    "plus": lambda n: b"let a = 1" + b" + 1" * n + b"\n",
    "errors": lambda n: b"".join(b"let a%d = wrong%d\n" % (i, i) for i in range(n)),
    "requirements": lambda n: b"".join(b"require %d GB > %d GB\n" % (i, i + 1) for i in range(n)),
    "long-line": lambda n: b"let a = 1" + b" " * n + b"$\n",
    "chain-let": lambda n: b"".join(b"let a%d = a%d + 1\n" % (i, i + 1) for i in range(n)) + b"let a%d = 1\n" % n,
    "chain-fn": lambda n: b"".join(b"fn f%d(x: int) -> ratio = f%d(x)\n" % (i, i + 1) for i in range(n))
    + b"fn f%d(x: int) -> ratio = x\nlet y = f0(3)\n" % n,
    "chain-from": lambda n: b"layout a0 { }\n" + b"".join(b"layout a%d from a%d { }\n" % (i + 1, i) for i in range(n)),
    "nul": lambda n: b"let a = 1\nlet b\x00 = 2\n",
    "control": lambda n: b"let a = 1 \x01 2\nlet b = \x1b[31m3\n",
}


def main():
    kind, path = sys.argv[1:3]
    text = KINDS[kind](int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f:
        f.write(text)


main()
