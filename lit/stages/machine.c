// Numbers of a processor in a file take the place of the built-in ones where programs are judged.
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// DEFINE: %{with} = %clang -O3 -march=x86-64-v3 -fopenmp -c %t/sum.c -o %t/x.o
// RUN: env POLYTILE=candidates=%t/own %{with} && %python %t/look.py %t/own > %t/machine.json
// RUN: env "POLYTILE=candidates=%t/same;machine=%t/machine.json" %{with} && cmp %t/own %t/same
//
// Threads that cost a thousand times as much.
// RUN: sed 's/"fork": [0-9.]*/"fork": 9999999.0/' %t/machine.json > %t/slow.json
// RUN: env "POLYTILE=candidates=%t/slow;machine=%t/slow.json" %{with} && not cmp %t/own %t/slow
// RUN: %python %t/compare.py %t/own %t/slow | FileCheck %s
// CHECK: original: one thread the same, two threads the same
// CHECK: plan: one thread the same, two threads more
//
// RUN: sed 's/"fork"/"forks"/' %t/machine.json > %t/name.json && not env POLYTILE=machine=%t/name.json %{with} 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: error: polytile: machine file '{{.*}}name.json': no number 'forks'; there are l2_rate, l3_rate, memory_rate, shared, page, fork, wait, masked_store, split, gather, lookup
// RUN: sed 's/"fork": [0-9.]*/"fork": -1/' %t/machine.json > %t/value.json && not env POLYTILE=machine=%t/value.json %{with} 2>&1 | FileCheck --check-prefix=VALUE %s
// VALUE: error: polytile: machine file '{{.*}}value.json': number 'fork': -1 is not from 0.001 to 1000000000
// RUN: not env POLYTILE=machine=%t/sum.c %{with} 2>&1 | FileCheck --check-prefix=JSON %s
// JSON: error: polytile: machine file '{{.*}}sum.c': expected value at line 1 column 1
// RUN: not env POLYTILE=machine=%t/none %{with} 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: polytile: machine file '{{.*}}none' cannot be read: No such file
// RUN: sed 's/"target": "/"target": "another /' %t/machine.json > %t/other.json && env POLYTILE=machine=%t/other.json %{with} 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: warning: polytile: machine file '{{.*}}other.json' is for another {{.*}}, 256 bits, and this is compiled for {{.*}}, 256 bits

//--- sum.c
void sum(int n, double *restrict a, double (*restrict b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] += b[i][j];
}

//--- look.py
import json
import sys
region = json.loads(open(sys.argv[1]).readline())
print(json.dumps({"format": region["format"], "target": region["target"], "numbers": region["numbers"]}))

//--- compare.py
import json
import sys
own, other = (json.loads(open(f).readline())["candidates"] for f in sys.argv[1:])
word = lambda a, b: "the same" if a == b else "more" if a < b else "less"
for a, b in zip(own, other):
    a, b, name = a["predicted"], b["predicted"], a["name"]
    print(f"{name}: one thread {word(a['one'], b['one'])}, two threads {word(a['two'], b['two'])}")
