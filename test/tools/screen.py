#!/usr/bin/env python3
"""What a program of the terminal shows, as text on stdout and as a picture.

    screen.py [--svg FILE] [--size 100x30] [--wait TEXT] [--keys KEYS]... -- COMMAND...

Runs the command in a terminal of that size, waits until the screen shows TEXT (`--wait` may be given
again behind `--keys`, which types), then prints the screen. Fails when TEXT does not come."""
import fcntl
import html
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

import pyte

PATIENCE = 30  # seconds until a text has to be there
CELL, LINE = 8.4, 19  # of the picture, in pixels
COLOURS = {"black": "#24273a", "red": "#d20f39", "green": "#40a02b", "brown": "#b57614", "blue": "#1e66f5",
           "magenta": "#8839ef", "cyan": "#17817d", "white": "#4c4f69", "default": "#24273a"}
PAPER = "#fbfbfd"


def colour(name, default):
    if name == "default":
        return default
    return COLOURS.get(name.removeprefix("bright"), "#" + name if len(name) == 6 else default)


class Terminal:
    def __init__(self, columns, rows, command):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.child, self.file = pty.fork()
        if self.child == 0:
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.execvp(command[0], command)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip() + "\n"

    def pump(self, seconds):
        """Takes in what the program prints; false at its end."""
        if not select.select([self.file], [], [], seconds)[0]:
            return True
        try:
            self.stream.feed(os.read(self.file, 65536))
            return True
        except OSError:
            return False

    def wait(self, wanted):
        end = time.monotonic() + PATIENCE
        while wanted not in self.text():
            if time.monotonic() > end or not self.pump(0.1):
                sys.exit(f"{self.text()}screen.py: no {wanted!r} on the screen")

    def settle(self):
        """Until nothing has been printed for a moment."""
        while select.select([self.file], [], [], 0.4)[0]:
            if not self.pump(0):
                return

    def type(self, keys):
        os.write(self.file, keys.encode().decode("unicode_escape").encode())

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)


def runs(line, columns):
    """Neighbouring cells that look the same: (column, text, cell)."""
    start = 0
    for x in range(1, columns + 1):
        look = lambda c: (c.fg, c.bg, c.bold, c.reverse, c.underscore)
        if x == columns or look(line[x]) != look(line[start]):
            yield start, "".join(line[i].data for i in range(start, x)), line[start]
            start = x


def picture(screen):
    width, height = screen.columns * CELL + 24, screen.lines * LINE + 24
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
             f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">',
             f'<rect width="100%" height="100%" rx="8" fill="{PAPER}" stroke="#d5d7e0"/>']
    for y in range(screen.lines):
        for x, text, cell in runs(screen.buffer[y], screen.columns):
            ink, paper = colour(cell.fg, COLOURS["default"]), colour(cell.bg, PAPER)
            if cell.reverse:
                ink, paper = paper, ink
            left, top = 12 + x * CELL, 12 + y * LINE
            if paper != PAPER:
                parts.append(f'<rect x="{left:.1f}" y="{top}" width="{len(text) * CELL:.1f}" height="{LINE}" fill="{paper}"/>')
            if text.strip():
                style = (' font-weight="600"' if cell.bold else "") + (' text-decoration="underline"' if cell.underscore else "")
                parts.append(f'<text x="{left:.1f}" y="{top + 14}" fill="{ink}" xml:space="preserve" '
                             f'textLength="{len(text) * CELL:.1f}"{style}>{html.escape(text)}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    words, steps, svg, size = sys.argv[1:], [], None, (100, 30)
    while words and words[0] != "--":
        option, value, words = words[0], words[1], words[2:]
        if option == "--svg":
            svg = value
        elif option == "--size":
            size = tuple(int(n) for n in value.split("x"))
        else:
            steps.append((option, value))
    terminal = Terminal(*size, words[1:])
    for option, value in steps:
        terminal.wait(value) if option == "--wait" else terminal.type(value)
    terminal.settle()
    print(terminal.text(), end="")
    if svg:
        with open(svg, "w", encoding="utf-8") as file:
            file.write(picture(terminal.screen))
    terminal.close()


main()
