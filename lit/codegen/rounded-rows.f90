! Rows of sparse matrices whose sums of products the back end rounds as it likes: the same bytes with and without the plugin, where the new
! version runs and where it does not.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O2 -march=native -module-dir %t %s -o %t/plain2 && %t/plain2 > %t/expected2
! RUN: flang-22 -O3 -march=native -module-dir %t %s -o %t/plain3 && %t/plain3 > %t/expected3
! RUN: %flang -O3 -march=x86-64-v3 -fopenmp -Rpass=polytile -Rpass-missed=polytile -mllvm -polytile-only=_QMrowsPproduct -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O2 -march=native -fopenmp -module-dir %t %s -o %t/new2
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new3
! RUN: env OMP_NUM_THREADS=3 %t/new2 | cmp - %t/expected2
! RUN: env OMP_NUM_THREADS=3 %t/new3 | cmp - %t/expected3
! RUN: env OMP_NUM_THREADS=1 %t/new3 | cmp - %t/expected3
! CHECK: rounded-rows.f90:[[@LINE+15]]:7: remark: loop nest transformed: 1 statement, 1 parallel loop
module rows
  integer, parameter :: n = 1000
  integer :: first(n + 1), column(8 * n)
  real(8) :: value(8 * n), other(8 * n), x(n), y(n), z(n)
contains
  subroutine product(first, column, value, x, y, m)
    integer, intent(in) :: m, first(*), column(*)
    real(8), intent(in) :: value(*), x(*)
    real(8), intent(inout) :: y(*)
    real(8) :: s
    integer :: j, k
    ! Each sum takes up its product.
    do j = 1, m
      s = 0d0
      do k = first(j), first(j + 1) - 1
        s = s + value(k) * x(column(k))
      end do
      y(j) = s
    end do
  end subroutine
  ! One of two products, or none.
  subroutine several()
    real(8) :: s, t
    integer :: j, k
    do j = 1, n
      s = 1d0
      t = 0d0
      do k = first(j), first(j + 1) - 1
        s = s - (value(k) * x(column(k)) + other(k) * y(column(k)))
        t = value(k) * other(k) - t
      end do
      z(j) = s * t
    end do
  end subroutine
end module
program main
  use rows
  integer :: j, k
  k = 1
  do j = 1, n
    first(j) = k
    k = k + mod(j * 5, 7)
    x(j) = 1d0 / (j + 2)
    y(j) = 1d0 / (3 * j + 1)
  end do
  first(n + 1) = k
  do k = 1, 8 * n
    column(k) = mod(k * 37, n) + 1
    value(k) = 1d0 / (k + 0.3d0)
    other(k) = 1d0 / (2 * k + 0.7d0)
  end do
  call several()
  print '(1000z17)', z
  call product(first, column, value, x, y, n)
  print '(1000z17)', y
  call several()
  print '(1000z17)', z
end program
