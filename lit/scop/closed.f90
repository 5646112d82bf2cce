! Loops whose last iteration goes its own way, around an inner loop that ends in the branch back to the start.
! RUN: %flang -O3 -march=x86-64-v3 -ffp-contract=off -Rpass=polytile -c %s -o %t.o 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;verify=on" %flang -O3 -ffp-contract=off %s -o %t.new && %t.new | cmp - %t.expected
subroutine solve(m, n, a, lda, b, ldb, nounit, upper)
  integer :: m, n, lda, ldb, i, j, k
  double precision :: a(lda,*), b(ldb,*)
  logical :: nounit, upper
  if (upper) then
! CHECK-DAG: closed.f90:[[@LINE+2]]:7: remark: loop nest transformed: 2 statements
    do j = 1, n
      do k = m, 1, -1
        if (nounit) b(k,j) = b(k,j) / a(k,k)
        do i = 1, k - 1
          b(i,j) = b(i,j) - b(k,j) * a(i,k)
        end do
      end do
    end do
  else
! CHECK-DAG: closed.f90:[[@LINE+2]]:7: remark: loop nest transformed: 2 statements
    do j = 1, n
      do k = 1, m
        if (nounit) b(k,j) = b(k,j) / a(k,k)
        do i = k + 1, m
          b(i,j) = b(i,j) - b(k,j) * a(i,k)
        end do
      end do
    end do
  end if
end subroutine

program closed
  double precision :: a(30,30), b(40,30)
  integer :: i, j, s
  do s = 0, 3
    do j = 1, 30
      do i = 1, 30
        a(i,j) = mod(i * 7 + j * 3, 11) + 1
        b(i,j) = mod(i + j * 5, 13) - s
      end do
    end do
    call solve(27 + s, 29, a, 30, b, 40, mod(s, 2) == 0, s < 2)
    do j = 1, 29
      print *, b(1, j), b(14, j), b(27, j)
    end do
  end do
end program
