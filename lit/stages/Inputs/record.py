"""Writes a record of the tuner's database for a candidate of the first region of a list.

usage: record.py LIST NUMBER [NAME=VALUE]..    the values, JSON, replace what the record would have; a text OLD->NEW in the script or text
"""
import json
import sys

with open(sys.argv[1]) as f:
    region = json.loads(f.readline())
number = int(sys.argv[2])
candidate = region["candidates"][number]
measured = {"number": number, "name": candidate["name"], "predicted": candidate["predicted"], "outcome": "measured",
            "samples": [0.5, 0.25, 0.75], "original": [1.0, 1.0, 1.0]}
record = {name: region[name] for name in ["format", "hash", "function", "file", "line", "target", "scop"]}
record |= {"threads": 2, "size_class": "10 ms", "chosen": number, "script": candidate["script"], "sizes": [],
           "candidates": [measured], "tried_sizes": []}
for change in sys.argv[3:]:
    name, value = change.split("=", 1)
    if "->" in value:
        old, new = value.split("->")
        assert old in record[name], (name, old)
        record[name] = record[name].replace(old, new)
    else:
        record[name] = json.loads(value)
print(json.dumps(record))
