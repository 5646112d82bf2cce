! A factorization by columns that returns at a zero pivot and tells where.
! RUN: %flang -O3 -march=native -g1 -Rpass=polytile %s -c -o %t.o 2>&1 | FileCheck %s
! RUN: %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: flang-22 -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env OMP_NUM_THREADS=2 %t.new | cmp - %t.expected
subroutine factorize(a, n, info)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer, intent(out) :: info
  integer :: i, j, k
  info = 0
  ! CHECK: early-exits.f90:[[@LINE+1]]:3: remark: loop nest transformed
  do k = 1, n
    if (abs(a(k, k)) < 1d-12) then
      info = k
      return
    end if
    a(k + 1:n, k) = a(k + 1:n, k) / a(k, k)
    do j = k + 1, n
      do i = k + 1, n
        a(i, j) = a(i, j) - a(i, k) * a(k, j)
      end do
    end do
  end do
end subroutine

program early_exits
  integer :: s, c, n, bad, info, i, j
  real(8), allocatable :: a(:, :)
  integer, parameter :: sizes(5) = [1, 3, 40, 130, 200]
  do s = 1, 5
    n = sizes(s)
    do c = 0, 3
      bad = merge(0, max(1, (n * (c - 1) + 1) / 2), c == 0)
      bad = min(bad, n)
      allocate (a(n, n))
      do j = 1, n
        do i = 1, n
          a(i, j) = merge(n + 1d0, 1d0 / (1 + abs(i - j)), i == j)
        end do
      end do
      if (bad > 0) a(:, bad) = 0
      call factorize(a, n, info)
      print '(2i6, es24.16)', n, info, sum(a)
      deallocate (a)
    end do
  end do
end program
