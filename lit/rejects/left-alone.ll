; What C cannot say: the same nest in functions and on memory that other threads, or no code of ours, may work on.
; RUN: %opt -passes='polytile<min-work=0;parallel-min-us=0>' -pass-remarks=polytile -pass-remarks-missed=polytile -S -o %t.ll %s 2>&1 | FileCheck %s
; RUN: FileCheck --check-prefix=IR --input-file %t.ll %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@own = thread_local global [500 x [500 x double]] zeroinitializer
@plain = global [500 x [500 x double]] zeroinitializer

; Each thread has an object of its own: the others work on that of the thread that forked.
; IR-LABEL: define internal {{.*}}@own_object.polytile.{{part|team}}(
; IR-NOT: @own
; IR: ret void
; CHECK: remark: {{.*}}loop nest transformed
define void @own_object()  {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr @own, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; CHECK: remark: {{.*}}a base pointer changes in the nest
define void @own_asked()  {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %t = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %p = getelementptr inbounds [500 x double], ptr %t, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; A segment of the thread.
; CHECK: remark: {{.*}}an address is not in the default address space
define void @segment(ptr addrspace(256) %a)  {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr addrspace(256) %a, i64 %i, i64 %j
  %x = load double, ptr addrspace(256) %p
  %y = fadd double %x, 1.0
  store double %y, ptr addrspace(256) %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; CHECK: remark: {{.*}}the function's calls depend on which threads make them together
define void @together(ptr %a) convergent {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; CHECK: remark: {{.*}}the function has no frame of its own
define void @no_frame() naked {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr @plain, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; CHECK: remark: {{.*}}the function is a coroutine
define void @coroutine(ptr %a) presplitcoroutine {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; CHECK: remark: {{.*}}the function is an interrupt handler
define x86_intrcc void @interrupt(ptr byval(i64) %a, i64 %e)  {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; CHECK: remark: {{.*}}the function must not use vector registers (-mgeneral-regs-only)
define void @soft(ptr %a) "use-soft-float"="true" {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; CHECK: remark: {{.*}}a call with unknown effects
define void @assembly(ptr %a)  {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %q = call i64 asm "", "=r,0"(i64 %j) nounwind memory(none) willreturn
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; CHECK: remark: {{.*}}call of 'pure', which has effects
define void @convergent_call(ptr %a)  {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %p = getelementptr inbounds [500 x double], ptr %a, i64 %i, i64 %j
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  store double %y, ptr %p
  %q = call double @pure(double %y) convergent
  store double %q, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp samesign ult i64 %j.next, 400
  br i1 %more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp samesign ult i64 %i.next, 400
  br i1 %again, label %rows, label %end

end:
  ret void
}

; CHECK-NOT: remark

declare double @pure(double) nounwind willreturn memory(none)
