"""Compiles each kernel, prints its script, compiles it with that script, and compares the assembly."""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

plugin, kernels, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def assembly(source, options, target):
    environment = {**os.environ, "POLYTILE": options}
    command = ["clang-22", "-O3", "-march=x86-64-v3", "-fopenmp", "-g1", f"-fpass-plugin={plugin}", "-S", "-o", str(target), str(source)]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def replayed(source):
    script = out / f"{source.stem}.pt"
    before, after = out / f"{source.stem}.before.s", out / f"{source.stem}.after.s"
    printed = assembly(source, "dump=script", before)
    script.write_text(printed.stderr)
    again = assembly(source, f"script={script}", after)
    if printed.returncode or again.returncode:
        return f"{source.name}: {printed.stderr if printed.returncode else again.stderr}"
    if before.read_bytes() != after.read_bytes():
        return f"{source.name}: other code"
    regions, trees = printed.stderr.count("region "), printed.stderr.count("tree {")
    print(f"{source.name}: {regions} regions, {trees} as trees")
    return None


sources = sorted(kernels.glob("*.c"))
assert len(sources) == 30
with ThreadPoolExecutor(2) as pool:
    wrong = [w for w in pool.map(replayed, sources) if w]
sys.exit("\n".join(wrong) if wrong else 0)
