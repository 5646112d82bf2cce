! Automatic arrays of a subroutine that is called for each column: its body takes the place of the call, with one block for each array; constants that are handed over
! by reference are known where they are loaded.
! RUN: mkdir -p %t.d
! RUN: env "POLYTILE=dump=ast" %flang -O3 -march=znver4 -module-dir %t.d -c -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O3 -march=native -module-dir %t.d %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t.d %s -o %t.new
! RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
! CHECK: // 2 x 8 lanes, A{{[0-9]+}} contracted, A{{[0-9]+}} contracted
module lines
  implicit none
contains
  subroutine line(x, n, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: r
    real(8) :: c(n), d(n), q
    integer :: i
    c(1) = -r / (1 + 2 * r)
    d(1) = x(1) / (1 + 2 * r)
    do i = 2, n
      q = 1 / (1 + 2 * r + r * c(i - 1))
      c(i) = -r * q
      d(i) = (x(i) + r * d(i - 1)) * q
    end do
    x(n) = d(n)
    do i = n - 1, 1, -1
      x(i) = d(i) - c(i) * x(i + 1)
    end do
  end subroutine
  subroutine columns(u, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: u(n, m)
    integer :: j
    do j = 1, m
      call line(u(:, j), n, 0.25d0)
    end do
  end subroutine
end module
program automatic
  use lines
  implicit none
  real(8), allocatable :: u(:, :)
  integer :: i, j, n, m
  do n = 2, 60, 19
    m = n + 7
    allocate (u(n, m))
    do j = 1, m
      do i = 1, n
        u(i, j) = mod(i * 7 + j * 3, 11) + 0.25d0
      end do
    end do
    call columns(u, n, m)
    call columns(u, n, m)
    print '(es25.17)', sum(u)
    deallocate (u)
  end do
end program
