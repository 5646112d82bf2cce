; opt runs the pass by name, with parameters behind it, and stage by stage.
; RUN: %opt -passes=polytile -S %s | FileCheck %s --check-prefix=CHANGED
; RUN: %opt -passes='polytile<parallel=off;verify>' -S %s | FileCheck %s --check-prefix=SEQUENTIAL
; RUN: %opt -polytile-parallel=off -passes=polytile -S %s | FileCheck %s --check-prefix=SEQUENTIAL
; RUN: env POLYTILE=parallel=off %opt -passes=polytile -S %s | FileCheck %s --check-prefix=SEQUENTIAL
; RUN: %opt -passes='print<polytile-region>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=REGION
; RUN: %opt -passes='print<polytile-scop>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SCOP
; RUN: %opt -passes='print<polytile-deps>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DEPS
; RUN: %opt -passes='print<polytile-schedule>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SCHEDULE
; RUN: %opt -passes='print<polytile-ast;parallel=off>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=AST
; RUN: %opt -passes='polytile<stop-after=schedule>' -S %s -o %t.unchanged
; RUN: %opt -passes=verify -S %s -o %t.original
; RUN: diff %t.original %t.unchanged

; CHANGED: define void @sums({{.*}} [[ATTRIBUTES:#[0-9]+]]
; CHANGED: call {{.*}}@__kmpc_fork_call(
; CHANGED: attributes [[ATTRIBUTES]] = { {{.*}}"polytile-done"
; SEQUENTIAL-NOT: __kmpc_fork_call
; REGION: region "sums.rows" function "sums"
; SCOP: scop "sums.rows" function "sums"
; DEPS: flow
; SCHEDULE: domain:
; AST: for

; for (i = 0; i < n; i++) for (j = 1; j < n; j++) A[i][j] = A[i][j - 1] + B[i][j];
define void @sums(ptr noalias %A, ptr noalias %B, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 1
  br i1 %some, label %rows, label %exit

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  %row = mul nuw nsw i64 %i, %n
  %from = getelementptr inbounds double, ptr %B, i64 %row
  %to = getelementptr inbounds double, ptr %A, i64 %row
  br label %columns

columns:
  %j = phi i64 [ 1, %rows ], [ %j.next, %columns ]
  %before = getelementptr double, ptr %to, i64 %j
  %left = getelementptr i8, ptr %before, i64 -8
  %x = load double, ptr %left, align 8
  %source = getelementptr inbounds double, ptr %from, i64 %j
  %y = load double, ptr %source, align 8
  %z = fadd double %x, %y
  %place = getelementptr inbounds double, ptr %to, i64 %j
  store double %z, ptr %place, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %n
  br i1 %j.done, label %rows.latch, label %columns

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %exit, label %rows

exit:
  ret void
}
