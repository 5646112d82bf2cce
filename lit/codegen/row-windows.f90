! Automatic arrays of Fortran as windows: rows are columns there.
! RUN: env "POLYTILE=log=debug;min-work=0" %flang -O3 -march=znver4 -S -emit-llvm -o /dev/null %s 2>&1 | grep -E "rewrite:" | FileCheck %s
! CHECK: slope{{.*}}: 3 nests, A1 of 4 rows, A2 of 1 rows, blocks of 64 rows: Same
subroutine slope(n, m, a, d)
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(n, m)
  real(8), intent(inout) :: d(n, m)
  real(8) :: t(n, m), g(n, m)
  integer :: i, j
  do j = 2, m - 1
    do i = 2, n - 1
      t(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
    end do
  end do
  do j = 3, m - 2
    do i = 3, n - 2
      g(i, j) = abs(t(i + 1, j) - t(i - 1, j)) + abs(t(i, j + 1) - t(i, j - 1))
    end do
  end do
  do j = 3, m - 2
    do i = 3, n - 2
      d(i, j) = t(i, j) / (1d0 + g(i, j))
    end do
  end do
end subroutine
