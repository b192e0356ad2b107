#!/usr/bin/env python3
"""exits.py STATUS COMMAND...: runs a command and succeeds when it ends with this status; a signal is never it."""
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
if status != int(sys.argv[1]):
    sys.exit(f"exit status {status}, not {sys.argv[1]}: {' '.join(sys.argv[2:])}")
