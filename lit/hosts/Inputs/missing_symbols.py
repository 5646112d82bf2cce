"""Prints the LLVM and C++ symbols that a plugin needs and none of the given libraries has.

usage: missing_symbols.py PLUGIN LIBRARY-PATTERN
"""
import glob
import subprocess
import sys


def symbols(path, kind):
    run = subprocess.run(["nm", "-D", kind, path], capture_output=True, text=True)
    return {line.split()[-1].split("@")[0] for line in run.stdout.splitlines()}


plugin, pattern = sys.argv[1:]
libraries = glob.glob(pattern)
there = set().union(*(symbols(library, "--defined-only") for library in libraries))
if not there:
    sys.exit("no library matches " + pattern)
# Debian's libLLVM takes the C++ library from a file of its own, which every C++ program has.
if "rust" not in pattern:
    for library in glob.glob("/usr/lib/*/libstdc++.so.6"):
        there |= symbols(library, "--defined-only")
needed = {s for s in symbols(plugin, "--undefined-only") if s.startswith(("_Z", "LLVM"))}
for symbol in sorted(needed - there):
    print("missing:", symbol)
if needed <= there:
    print("all symbols are there")
