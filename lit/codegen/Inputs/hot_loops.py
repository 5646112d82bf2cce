"""Reads assembly; for each function the innermost loop with the most multiply-adds on vectors (the shortest of equal ones):

product: 12 multiply-adds on 256 bits, 0 on the stack, 24 instructions

A multiplication whose sum is an instruction of its own counts like a multiply-add.
"""
import re
import sys

LABEL = re.compile(r"^([\w.$]+):")
JUMP = re.compile(r"^(?:j\w+|b(?:\.\w+)?|cbn?z|tbn?z)\s.*?(\.L\w+)$")
PRODUCT = re.compile(r"^(?:v?fn?m(?:add|sub)\d*p[sd]|v?mulp[sd]|fml[as]|fmul\s+v)")
STACK = re.compile(r"\(%rsp|\[sp|# \d+-byte|// \d+-byte")
WIDTHS = [("%zmm", 512), ("%ymm", 256), ("%xmm", 128), (".2d", 128), (".4s", 128)]


def functions(lines):
    """Names and instructions with the labels in front of them."""
    name, code, labels = None, [], {}
    for line in lines:
        label = LABEL.match(line)
        if label and not label[1].startswith(".L"):
            if name:
                yield name, code, labels
            name, code, labels = label[1], [], {}
        elif label:
            labels[label[1]] = len(code)
        elif line.startswith("\t") and not line.startswith("\t."):
            code.append(line.strip())
    if name:
        yield name, code, labels


def innermost(code, labels):
    """Instructions of the loops that contain no other."""
    loops = []
    for at, line in enumerate(code):
        jump = JUMP.match(re.split(r"\s*(?:#|//) ", line)[0])
        if jump and labels.get(jump[1], at + 1) <= at:
            loops.append((labels[jump[1]], at))
    for first, last in loops:
        if not any((a, b) != (first, last) and first <= a and b <= last for a, b in loops):
            yield code[first : last + 1]


def described(loop):
    products = [line for line in loop if PRODUCT.match(line)]
    width = max((bits for line in products for mark, bits in WIDTHS if mark in line), default=0)
    return len(products), -len(loop), width, sum(bool(STACK.search(line)) for line in loop)


for name, code, labels in functions(sys.stdin.read().split("\n")):
    found = max((described(loop) for loop in innermost(code, labels)), default=(0, 0, 0, 0))
    count, length, width, stack = found
    if count:
        print(f"{name}: {count} multiply-adds on {width} bits, {stack} on the stack, {-length} instructions")
