; Behind n < 0 and n == 0, with other control flow in between, a loop that LLVM counts max(n, 1) times runs n times: one case, and no second one
; for n <= 0, with which a nest is no register tile.
; RUN: %opt -passes='print<polytile-scop>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: domain { S0[i0, i1] : 0 <= i0 < {{p[a-z0-9_]+}} and 0 <= i1 < {{p[a-z0-9_]+}} }
define void @entered(i32 %n, i32 %m, i1 %merges, ptr noalias %a, ptr noalias %b) {
entry:
  %negative = icmp slt i32 %n, 0
  br i1 %negative, label %fail, label %front

fail:
  call void @llvm.trap()
  unreachable

front:
  br i1 %merges, label %store, label %behind

store:
  store double 1.0, ptr %a
  br label %behind

behind:
  %empty = icmp eq i32 %n, 0
  %none = icmp slt i32 %m, 1
  br i1 %empty, label %done, label %some

some:
  br i1 %none, label %done, label %ahead

ahead:
  %least = call i32 @llvm.smax.i32(i32 %n, i32 1)
  %end = zext nneg i32 %least to i64
  %rows = zext nneg i32 %m to i64
  br label %outer

outer:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %latch ]
  %row = mul nuw nsw i64 %i, 40
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %at = add nuw nsw i64 %row, %j
  %from = getelementptr inbounds double, ptr %b, i64 %at
  %to = getelementptr inbounds double, ptr %a, i64 %at
  %x = load double, ptr %from
  %y = fadd double %x, 1.0
  store double %y, ptr %to
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %end
  br i1 %j.end, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %rows
  br i1 %i.end, label %done, label %outer

done:
  ret void
}

declare void @llvm.trap() noreturn
declare i32 @llvm.smax.i32(i32, i32)
