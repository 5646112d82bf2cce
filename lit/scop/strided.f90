! Arrays of assumed shape in array syntax: the compiler has no version for arrays without gaps, and each dimension a stride in bytes. That of the innermost
! loop is taken for an element, the others for multiples of one; with gaps, backwards, or as parts of structures the original runs.
! RUN: %flang -O3 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O2 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module nests
  type point
    real(8) :: v
    integer(4) :: tag(3)
  end type
contains
! CHECK: scop "{{.*}}smoothed
! CHECK: array M{{.*}} f64 memory v{{[0-9]+}} strides ({{.*}} 8) extents {{.*}} gaps
! CHECK: write { S0[i0, i1] -> M{{.*}}[1 + i0, 1 + i1] }
  subroutine smoothed(t, n, m)
    real(8), intent(inout) :: t(:, :)
    integer, intent(in) :: n, m
    real(8) :: average(n, m)
    average(2:n - 1, 2:m - 1) = .25d0 * (t(1:n - 2, 2:m - 1) + t(3:n, 2:m - 1) + t(2:n - 1, 1:m - 2) + t(2:n - 1, 3:m))
    t(2:n - 1, 2:m - 1) = average(2:n - 1, 2:m - 1)
  end subroutine
! CHECK: scop "{{.*}}flux
! CHECK: write { S0[i0, i1, i2] -> M{{.*}}[i0, i1, i2] }
  subroutine flux(a, b)
    real(4), intent(in) :: a(:, :, :)
    real(4), intent(inout) :: b(:, :, :)
    integer :: n
    n = min(size(a, 1), size(b, 1))
    b(:n - 1, :, :) = b(:n - 1, :, :) + .5 * (a(2:n, :, :) - a(:n - 1, :, :))
  end subroutine
! Rows of one array are columns of the other.
  subroutine turned(a, b)
    integer(2), intent(in) :: a(:, :)
    integer(2), intent(inout) :: b(:, :)
    integer :: i, j
    do j = 1, size(b, 2)
      do i = 1, size(b, 1)
        b(i, j) = b(i, j) * 3_2 + a(j, i)
      end do
    end do
  end subroutine
end module

program main
  use nests
  integer, parameter :: n = 41
  real(8) :: a(n, n), c(n)
  complex(8) :: z(n, n)
  real(4) :: u(n, n, 9), v(n, n, 9)
  integer(2) :: x(n, n), y(n, n)
  type(point) :: p(n, n)
  integer :: i, j, k, m
  do m = 0, n, 20
    call fill()
    call smoothed(a(:m, :m), m, m)
    call smoothed(a, n, m)
    call smoothed(a(::2, :), (n + 1) / 2, m)
    call smoothed(a(n:1:-1, n:1:-1), n, n)
    call smoothed(a(:, n:1:-1), n, n)
    call smoothed(a(:, ::3), m, 14)
    call smoothed(p%v, n, m)
    call smoothed(p(:m, ::2)%v, m, 21)
    call smoothed(z%re, n, n)
    call smoothed(z(::3, :m)%im, 14, m)
    call flux(u(:m, :, :), v(:m, :, :))
    call flux(u(:, m + 1:, 9:1:-1), v(:, m + 1:, 9:1:-1))
    call flux(u(::2, :, :), v(::2, :, :))
    call flux(v(n:1:-1, :, :), u)
    call turned(x, y)
    call turned(y(:m, :), x(:, :m))
    call turned(x(n:1:-1, ::2), y(1:21, :))
    print *, sum(a), sum(u), sum(v), sum(z), sum(int(x)), sum(int(y)), sum(p%v), sum(p%tag(3))
    c = a(:, 7)
    print *, c, z(11, :), v(:, 5, 3), x(:, 3), p(:, 2)%v
  end do
contains
  subroutine fill()
    do j = 1, n
      do i = 1, n
        a(i, j) = mod(i * j, 13)
        z(i, j) = cmplx(i, mod(i * j, 7), 8)
        x(i, j) = int(mod(i * 5 + j, 19), 2)
        y(i, j) = int(mod(i + j * j, 11), 2)
        p(i, j)%v = mod(i * i + j, 31)
        p(i, j)%tag = i
        do k = 1, 9
          u(i, j, k) = mod(i * k + j, 17)
          v(i, j, k) = k
        end do
      end do
    end do
  end subroutine
end program
