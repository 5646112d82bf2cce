// All candidates of a region are listed with their predicted times and scripts, and any of them can be chosen; the list changes no code.
// RUN: rm -rf %t && mkdir %t && split-file %s %t && cp %S/Inputs/record.py %t
// DEFINE: %{flags} = -O3 -march=x86-64-v3 -fopenmp -g1 -fno-caret-diagnostics -Rpass=polytile -Rpass-missed=polytile
// DEFINE: %{with} = %clang %{flags} -c %t/two.c
//
// RUN: env POLYTILE=candidates=%t/list %{with} -o %t/listed.o 2> %t/listed.txt
// RUN: %{with} -o %t/plain.o 2> %t/plain.txt && cmp %t/listed.o %t/plain.o && cmp %t/listed.txt %t/plain.txt
// RUN: %python %t/look.py %t/list | FileCheck --check-prefix=LIST %s
// RUN: env POLYTILE=candidates=- %clang -O3 -march=x86-64-v3 -fopenmp -g1 -c -o %t/x.o %t/two.c 2>&1 | cmp - %t/list
// LIST: product two.c:2 target {{.*}}, 256 bits chosen 1
// LIST-NEXT: 0 original
// LIST-NEXT: 1 plan faster script
// LIST-NEXT: 2 plan-sequential faster script
// LIST: add two.c:8 target
// LIST-NEXT: 0 original
// LIST-NEXT: 1 plan
//
// Each gives its own code, and the original as well.
// RUN: env POLYTILE=choose=1 %{with} -o %t/one.o 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: env POLYTILE=choose=0 %{with} -o %t/none.o 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %plainclang %{flags} -c %t/two.c -o %t/clang.o && cmp %t/none.o %t/clang.o && not cmp %t/one.o %t/clang.o
// ONE: two.c:2:3: remark: loop nest transformed: {{.*}} 1 parallel loop
// NONE: two.c:2:3: remark: loop nest not transformed: the original was chosen (option choose)
// NONE-NOT: loop nest transformed
//
// By its hash, one region.
// RUN: %clang %{flags} -mllvm -polytile-choose=$(%python %t/look.py %t/list product):2 -c %t/two.c -o %t/two.o 2>&1 | FileCheck --check-prefix=TWO %s
// TWO: two.c:2:3: remark: loop nest transformed: {{.*}}1 register tile
// TWO-NOT: warning
//
// RUN: not env POLYTILE=choose=99 %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=MANY %s
// MANY: error: polytile: option 'choose' asks for candidate 99 of {{.*}}two.c:2 (product), region {{[0-9a-f]+}}, which has candidates 0 to {{[0-9]+}}; candidates=FILE lists them
// RUN: not env POLYTILE=choose=one %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=WORD %s
// WORD: error: polytile: option 'choose' does not take the value 'one', but list of N (all regions) and HASH:N (the region of this hash)
// RUN: env POLYTILE=choose=0123456789abcdef:1 %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=NOWHERE %s
// NOWHERE: warning: polytile: option 'choose': no region of this module has the hash 0123456789abcdef; candidates=FILE lists them
// RUN: not env POLYTILE=candidates=%t/none/list %{with} -o %t/x.o 2>&1 | FileCheck --check-prefix=FILE %s
// FILE: error: polytile: candidates file '{{.*}}none/list' cannot be written: No such file

//--- two.c
void product(int n, double (*restrict c)[500], double (*restrict a)[500], double (*restrict b)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
void add(int n, double (*restrict c)[500], double (*restrict a)[500]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] += a[j][i];
}

//--- look.py
import json, sys
regions = [json.loads(line) for line in open(sys.argv[1])]
if len(sys.argv) > 2:
    print(next(r["hash"] for r in regions if r["function"] == sys.argv[2]))
    sys.exit()
for r in regions:
    place = r["file"].split("/")[-1]
    print(r["function"], f"{place}:{r['line']}", "target", r["target"], "chosen", r["chosen"])
    assert r["scop"].startswith('scop "" function ""') and "two.c" not in r["scop"]
    original = r["candidates"][0]
    for n, c in enumerate(r["candidates"]):
        assert c["number"] == n and (c["script"] is None) == (n == 0)
        faster = " faster" if c["predicted"]["one"] < original["predicted"]["one"] else ""
        print(n, c["name"] + faster + (" script" if c["script"] else ""))
