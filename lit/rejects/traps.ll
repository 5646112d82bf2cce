; Ways that never return: they are assumed not to be taken, and checked. What the region computes may be used on them, if they
; begin in the region or behind it, but not if both is the case: one value has no place there.
; RUN: %opt -passes='polytile<min-work=0>' -pass-remarks=polytile -pass-remarks-missed=polytile -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: loop nest transformed
; CHECK: loop nest transformed
; CHECK: loop nest not transformed: a value is used on a path that never returns
; CHECK-NOT: remark

; What follows uses the value.
define double @behind(i64 %n, i64 %m, ptr noalias %a, ptr noalias %b) {
entry:
  %v = load double, ptr %b
  %s = fmul double %v, 2.0
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %store ]
  %sum = add nsw i64 %i, %j
  %beyond = icmp sge i64 %sum, %m
  br i1 %beyond, label %early.trap, label %store

store:
  %row = mul nsw i64 %i, 1000
  %at = add nsw i64 %row, %j
  %p = getelementptr inbounds double, ptr %a, i64 %at
  store double %s, ptr %p
  %j.next = add nsw i64 %j, 1
  %more = icmp slt i64 %j.next, %n
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %rows, label %after

after:
  call void @effects()
  %late = icmp sge i64 %n, %m
  br i1 %late, label %late.trap, label %end

end:
  ret double %s

early.trap:
  call void @fail(double %v)
  unreachable

late.trap:
  call void @fail(double %s)
  unreachable
}

; The nest itself does.
define double @inside(i64 %n, i64 %m, ptr noalias %a, ptr noalias %b) {
entry:
  %v = load double, ptr %b
  %s = fmul double %v, 2.0
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %store ]
  %sum = add nsw i64 %i, %j
  %beyond = icmp sge i64 %sum, %m
  br i1 %beyond, label %late.trap, label %store

store:
  %row = mul nsw i64 %i, 1000
  %at = add nsw i64 %row, %j
  %p = getelementptr inbounds double, ptr %a, i64 %at
  store double %s, ptr %p
  %j.next = add nsw i64 %j, 1
  %more = icmp slt i64 %j.next, %n
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %rows, label %after

after:
  call void @effects()
  %late = icmp sge i64 %n, %m
  br i1 %late, label %end, label %end

end:
  ret double %s

late.trap:
  call void @fail(double %s)
  unreachable
}

; Both do.
define double @both(i64 %n, i64 %m, ptr noalias %a, ptr noalias %b) {
entry:
  %v = load double, ptr %b
  %s = fmul double %v, 2.0
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %store ]
  %sum = add nsw i64 %i, %j
  %beyond = icmp sge i64 %sum, %m
  br i1 %beyond, label %late.trap, label %store

store:
  %row = mul nsw i64 %i, 1000
  %at = add nsw i64 %row, %j
  %p = getelementptr inbounds double, ptr %a, i64 %at
  store double %s, ptr %p
  %j.next = add nsw i64 %j, 1
  %more = icmp slt i64 %j.next, %n
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %rows, label %after

after:
  call void @effects()
  %late = icmp sge i64 %n, %m
  br i1 %late, label %late.trap, label %end

end:
  ret double %s

late.trap:
  call void @fail(double %s)
  unreachable
}

declare void @effects()
declare void @fail(double) noreturn
