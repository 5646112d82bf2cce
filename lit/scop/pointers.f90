! Pointers to arrays: each dimension has a stride in bytes, the first one included, and a product does not tell by its loops which is the first. The
! description does, where strides lie in order. So does a vector that only outer loops go along, and one whose subscripts are sums of 32 bits. Sections and arrays
! backwards run the original.
! RUN: %flang -O3 -mllvm -polytile-stop-after=scop -mllvm -polytile-dump=scop -S -o /dev/null %s 2>&1 | FileCheck %s
! RUN: flang-22 -O1 -march=native %s -o %t.plain && %t.plain > %t.expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp %s -o %t.new
! RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
module nests
contains
! CHECK: scop "{{.*}}multiplied
! CHECK: read { S{{[0-9]}}[i0, i1, i2] -> M{{.*}}[{{.*}}i2, {{.*}}i1] } f64
! CHECK: read { S{{[0-9]}}[i0, i1, i2] -> M{{.*}}[{{.*}}i0, {{.*}}i2] } f64
  subroutine multiplied(n, m, k, a, b, c)
    integer, intent(in) :: n, m, k
    real(8), pointer :: a(:, :), b(:, :), c(:, :)
    integer :: i, j, l
    do j = 1, m
      do i = 1, n
        do l = 1, k
          c(i, j) = c(i, j) + a(i, l) * b(l, j)
        end do
      end do
    end do
  end subroutine
! CHECK: scop "{{.*}}distances
! CHECK: read { S0[i0, i1] -> M{{.*}}[{{.*}}i0] } i32
  subroutine distances(n, m, d, s, u)
    integer, intent(in) :: n, m
    integer, pointer :: d(:, :), s(:), u(:)
    integer :: i, j
    do j = 2, m
      do i = 2, n
        d(i, j) = min(d(i - 1, j - 1) + merge(0, 1, s(i) == u(j)), min(d(i - 1, j), d(i, j - 1)) + 1)
      end do
    end do
  end subroutine
! CHECK: scop "{{.*}}filtered
! CHECK: read { S{{[0-9]}}[i0, i1, i2, i3] -> M{{.*}}[{{.*}}i0 + i2, {{.*}}i1 + i3] } f32
  subroutine filtered(n, m, r, p, w, q)
    integer, intent(in) :: n, m, r
    real(4), pointer :: p(:, :), w(:, :), q(:, :)
    integer :: i, j, x, y
    real(4) :: s
    do j = 1, m - r + 1
      do i = 1, n - r + 1
        s = 0
        do y = 1, r
          do x = 1, r
            s = s + w(x, y) * p(i + x - 1, j + y - 1)
          end do
        end do
        q(i, j) = s
      end do
    end do
  end subroutine
end module

program main
  use nests
  integer, parameter :: n = 43
  real(8), target :: x(n, n), y(n, n), z(n, n)
  real(4), target :: u(n, n), v(n, n), w(5, 5)
  integer, target :: d(n, n), s(n), t(n)
  real(8), pointer :: a(:, :), b(:, :), c(:, :)
  real(4), pointer :: p(:, :), q(:, :), r(:, :)
  integer, pointer :: e(:, :), f(:), g(:)
  integer :: i, j
  do j = 1, n
    s(j) = mod(j * 7, 5)
    t(j) = mod(j * j, 5)
    do i = 1, n
      x(i, j) = mod(i * 3 + j, 11)
      y(i, j) = mod(i * j, 13)
      z(i, j) = i - j
      u(i, j) = mod(i * 5 + j, 17)
      v(i, j) = 0
      d(i, j) = i + j
    end do
  end do
  w = u(:5, :5)
  a => x; b => y; c => z
  call multiplied(n, n, n, a, b, c)
  a(0:, -3:) => x; b => y(::2, :); c => z(:, 3:)
  call multiplied(40, 20, 22, a, b, c)
  a => x(n:1:-1, :); b => y(:, n:1:-1); c => z(::2, ::3)
  call multiplied(20, 14, 20, a, b, c)
  e => d; f => s; g => t
  call distances(n, n, e, f, g)
  e => d(::2, :); f => s(n:1:-1); g => t(::2)
  call distances(22, 22, e, f, g)
  p => u; q => v; r => w
  call filtered(n, n, 5, p, r, q)
  p => u(::2, :); q => v(:, 2:); r => w(5:1:-1, ::2)
  call filtered(22, n - 1, 3, p, r, q)
  print *, x, z
  print *, d, v
end program
