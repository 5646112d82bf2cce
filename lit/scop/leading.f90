! Fortran's arrays of run-time extents: a row has max(0, ld) elements, and the scaling depends on what beta is.
! RUN: %flang -O2 -march=native -fopenmp -g1 -Rpass=polytile -c -o %t.o %s 2>&1 | FileCheck %s
! CHECK: leading.f90:[[@LINE+8]]:3: remark: loop nest transformed: 3 statements, {{.*}} 1 register tile
subroutine product(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
  integer :: m, n, k, lda, ldb, ldc
  double precision :: alpha, beta, a(lda, *), b(ldb, *), c(ldc, *), t
  integer :: i, j, l

  if (m <= 0 .or. n <= 0 .or. k <= 0) return
  if (lda < m .or. ldb < k .or. ldc < m .or. (alpha == 0 .and. beta == 1)) return
  do j = 1, n
    if (beta == 0) then
      do i = 1, m
        c(i, j) = 0
      end do
    else if (beta /= 1) then
      do i = 1, m
        c(i, j) = beta * c(i, j)
      end do
    end if
    do l = 1, k
      t = alpha * b(l, j)
      do i = 1, m
        c(i, j) = c(i, j) + t * a(i, l)
      end do
    end do
  end do
end subroutine
