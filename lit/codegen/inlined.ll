; Calls in loops that LLVM has left: the body of what is called takes the place of the call while a nest is looked at. The original keeps its
; call, and so does every nest that stays as it is.
; RUN: %opt -passes='polytile<min-work=0;parallel-min-us=0;verify=on>' -pass-remarks=polytile -pass-remarks-missed=polytile -S -o %t.ll %s 2>&1 | FileCheck %s
; RUN: FileCheck --check-prefix=IR --input-file %t.ll %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare i32 @personality(...)
declare void @fails() cold noreturn
declare void @ends(ptr)

; Reads and writes memory through its arguments.
define internal void @add(ptr %to, ptr noalias %from) nounwind {
  %x = load double, ptr %from
  %y = load double, ptr %to
  %z = fadd double %x, %y
  store double %z, ptr %to
  ret void
}

; The new version is made of the body; the original calls.
; CHECK: remark: {{.*}}loop nest transformed
; IR-LABEL: define void @taken(
; IR: call void @add(ptr
; IR-NOT: alias.scope
define void @taken(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  call void @add(ptr %p, ptr %q)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; Yields a value, and ends the program where the argument is no number.
define internal double @checked(ptr %from) {
entry:
  %x = load double, ptr %from
  %fits = fcmp ord double %x, 0.0
  br i1 %fits, label %good, label %bad

good:
  %y = fmul double %x, %x
  ret double %y

bad:
  call void @fails()
  unreachable
}

; Takes a copy of an argument.
define internal double @scaled(ptr %from, ptr byval(double) %by) nounwind {
  %x = load double, ptr %from
  %s = load double, ptr %by
  %y = fmul double %x, %s
  store double %y, ptr %from
  ret double %y
}

define internal double @recursive(ptr %from) nounwind {
entry:
  %x = load double, ptr %from
  %large = fcmp ogt double %x, 1.0
  br i1 %large, label %less, label %end
less:
  %h = fmul double %x, 0.5
  store double %h, ptr %from
  %r = call double @recursive(ptr %from)
  br label %end
end:
  %y = phi double [ %x, %entry ], [ %r, %less ]
  ret double %y
}

; Memory of its own.
define internal void @swaps(ptr %to, ptr %from) nounwind {
  %t = alloca double
  call void @llvm.lifetime.start.p0(ptr %t)
  %x = load double, ptr %to
  store double %x, ptr %t
  %y = load double, ptr %from
  store double %y, ptr %to
  %z = load volatile double, ptr %t
  store double %z, ptr %from
  call void @llvm.lifetime.end.p0(ptr %t)
  ret void
}

define internal void @kept(ptr %to, ptr %from) noinline nounwind {
  %x = load double, ptr %from
  store double %x, ptr %to
  ret void
}

define internal void @slow(ptr %to, ptr %from) noinline optnone nounwind {
  %x = load double, ptr %from
  store double %x, ptr %to
  ret void
}

define internal void @wide(ptr %to, ptr %from) nounwind "target-features"="+avx2" {
  %x = load double, ptr %from
  store double %x, ptr %to
  ret void
}

define internal void @strict(ptr %to, ptr %from) nounwind strictfp {
  %x = load double, ptr %from
  store double %x, ptr %to
  ret void
}

define internal void @many(ptr %to, ...) nounwind {
  store double 1.0, ptr %to
  ret void
}

define weak void @replaced(ptr %to, ptr %from) nounwind {
  %x = load double, ptr %from
  store double %x, ptr %to
  ret void
}

; A call that may unwind: what it does then is no way through the nest.
; CHECK: remark: {{.*}}loop nest not transformed: a condition depends on data
; IR-LABEL: define void @unwinds(
; IR: invoke double @checked(ptr %q)
; IR-NEXT: to label %next unwind label %unwind

define void @unwinds(ptr noalias %a, ptr noalias %b) personality ptr @personality {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %next ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  %r = invoke double @checked(ptr %q) to label %next unwind label %unwind

next:
  store double %r, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void

unwind:
  %pad = landingpad { ptr, i32 } cleanup
  call void @ends(ptr %a)
  resume { ptr, i32 } %pad
}

; A copy of an argument.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'scaled'
; IR-LABEL: define void @by_value(
; IR: call {{.*}}@scaled(
define void @by_value(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  %r = call double @scaled(ptr %q, ptr byval(double) %p)
  store double %r, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; A function that calls itself.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'recursive'
; IR-LABEL: define void @recurses(
; IR: call {{.*}}@recursive(
define void @recurses(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  %r = call double @recursive(ptr %q)
  store double %r, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; A variable in memory.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'swaps'
; IR-LABEL: define void @with_memory(
; IR: call {{.*}}@swaps(
define void @with_memory(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  call void @swaps(ptr %p, ptr %q)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; The user says no.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'kept'
; IR-LABEL: define void @not_inline(
; IR: call {{.*}}@kept(
define void @not_inline(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  call void @kept(ptr %p, ptr %q)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; The user says no to everything.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'slow'
; IR-LABEL: define void @not_optimized(
; IR: call {{.*}}@slow(
define void @not_optimized(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  call void @slow(ptr %p, ptr %q)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; The user says no at this place.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'add'
; IR-LABEL: define void @not_here(
; IR: call {{.*}}@add(
define void @not_here(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  call void @add(ptr %p, ptr %q) noinline
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; Another processor.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'wide'
; IR-LABEL: define void @other_target(
; IR: call {{.*}}@wide(
define void @other_target(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  call void @wide(ptr %p, ptr %q)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; Other rules of arithmetic.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'strict'
; IR-LABEL: define void @other_rules(
; IR: call {{.*}}@strict(
define void @other_rules(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  call void @strict(ptr %p, ptr %q)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; Any number of arguments.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'many'
; IR-LABEL: define void @any_number(
; IR: call {{.*}}@many(
define void @any_number(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  call void (ptr, ...) @many(ptr %p, ptr %q)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

; The linker may take another function of that name.
; CHECK: remark: {{.*}}loop nest not transformed: call of 'replaced'
; IR-LABEL: define void @may_be_replaced(
; IR: call {{.*}}@replaced(
define void @may_be_replaced(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [500 x double], ptr %b, i64 %j, i64 %i
  call void @replaced(ptr %p, ptr %q)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %on = icmp samesign ult i64 %i.next, 400
  br i1 %on, label %rows, label %end

end:
  ret void
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
