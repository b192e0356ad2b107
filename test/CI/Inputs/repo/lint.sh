#!/bin/sh
python3 lint.py --all src
