; Pixels of three bytes that are turned fill no vectors, and squares of them are not transposed.
; RUN: env "POLYTILE=min-work=0;verify=on" %opt -passes='default<O3>' -mcpu=znver4 -S -o - %s 2>&1 | FileCheck %s
; CHECK-NOT: internal error
; CHECK: define void @turned
; CHECK: store i24
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @turned(i32 %n, i64 %width, ptr %to) {
start:
  br label %rows

rows:
  %i = phi i32 [ 0, %start ], [ %i.next, %columns ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %row, label %done

done:
  ret void

row:
  %i.next = add i32 %i, 1
  br label %columns

columns:
  %j = phi i32 [ 0, %row ], [ %j.next, %pixel ]
  %inside = icmp ult i32 %j, %n
  br i1 %inside, label %pixel, label %rows

pixel:
  %j.next = add i32 %j, 1
  %j.wide = zext i32 %j to i64
  %begin = mul i64 %width, %j.wide
  %back = xor i32 %i, -1
  %back.wide = zext i32 %back to i64
  %at = add i64 %begin, %back.wide
  %bytes = mul i64 %at, 3
  %address = getelementptr i8, ptr %to, i64 %bytes
  store i24 0, ptr %address, align 1
  br label %columns
}
