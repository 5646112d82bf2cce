! Array language: Gauss-Jordan elimination by rows, powers of a matrix, a masked relaxation, a least squares fit by Householder.
! Arguments: unknowns, relaxation steps. In tests: 14 3
module dense
  implicit none
  integer, parameter :: dp = selected_real_kind(15)
contains
  subroutine gauss_jordan(a, b)
    real(dp), intent(inout) :: a(:, :), b(:, :)
    integer :: n, k, i, place(1)
    real(dp) :: row(size(a, 2)), right(size(b, 2)), factor
    n = size(a, 1)
    do k = 1, n
      place = maxloc(abs(a(k:n, k)))
      i = place(1) + k - 1
      if (i /= k) then
        row = a(k, :)
        a(k, :) = a(i, :)
        a(i, :) = row
        right = b(k, :)
        b(k, :) = b(i, :)
        b(i, :) = right
      end if
      factor = 1.0_dp / a(k, k)
      a(k, :) = a(k, :) * factor
      b(k, :) = b(k, :) * factor
      do i = 1, n
        if (i /= k) then
          factor = a(i, k)
          a(i, k:) = a(i, k:) - factor * a(k, k:)
          b(i, :) = b(i, :) - factor * b(k, :)
        end if
      end do
    end do
  end subroutine gauss_jordan

  function power(a, exponent) result(p)
    real(dp), intent(in) :: a(:, :)
    integer, intent(in) :: exponent
    real(dp) :: p(size(a, 1), size(a, 2))
    integer :: e
    p = a
    do e = 2, exponent
      p = matmul(p, a)
      p = p / maxval(abs(p))
    end do
  end function power

  ! Householder's reflections from the left, column by column; b goes along.
  subroutine least_squares(a, b, residual)
    real(dp), intent(inout) :: a(:, :), b(:)
    real(dp), intent(out) :: residual
    real(dp), allocatable :: v(:)
    real(dp) :: norm, scale
    integer :: m, n, j, k
    m = size(a, 1)
    n = size(a, 2)
    do k = 1, n
      v = a(k:m, k)
      norm = sqrt(dot_product(v, v))
      v(1) = v(1) + sign(norm, v(1))
      scale = 2.0_dp / dot_product(v, v)
      do j = k, n
        a(k:m, j) = a(k:m, j) - scale * dot_product(v, a(k:m, j)) * v
      end do
      b(k:m) = b(k:m) - scale * dot_product(v, b(k:m)) * v
    end do
    residual = sqrt(sum(b(n + 1:m)**2))
  end subroutine least_squares
end module dense

module diffusion
  use dense, only: dp
  implicit none
contains
  subroutine relax(t, mask, steps)
    real(dp), intent(inout) :: t(:, :)
    logical, intent(in) :: mask(:, :)
    integer, intent(in) :: steps
    real(dp) :: average(size(t, 1), size(t, 2))
    integer :: step, n, m
    n = size(t, 1)
    m = size(t, 2)
    average = t
    do step = 1, steps
      average(2:n - 1, 2:m - 1) = 0.25_dp * (t(1:n - 2, 2:m - 1) + t(3:n, 2:m - 1) + t(2:n - 1, 1:m - 2) + t(2:n - 1, 3:m))
      where (mask)
        t = 0.9_dp * average + 0.1_dp * t
      elsewhere
        t = min(t, 1.0_dp)
      end where
    end do
  end subroutine relax
end module diffusion

program arrays
  use dense
  use diffusion
  implicit none
  integer :: n, steps, i, j
  real(dp), allocatable :: a(:, :), b(:, :), original(:, :), x(:, :), t(:, :), tall(:, :), right(:)
  logical, allocatable :: mask(:, :)
  real(dp) :: residual
  character(len=32) :: argument
  n = 400
  steps = 100
  if (command_argument_count() >= 1) then
    call get_command_argument(1, argument)
    read (argument, *) n
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, argument)
    read (argument, *) steps
  end if
  allocate (a(n, n), b(n, n / 4 + 1), t(n, 2 * n), mask(n, 2 * n), tall(2 * n, n), right(2 * n))
  do j = 1, n
    do i = 1, n
      a(i, j) = real(mod(i * 7 + j * 13 + i * j, 41), dp) / 41.0_dp
    end do
    a(j, j) = a(j, j) + 4.0_dp
  end do
  forall (i=1:n, j=1:n / 4 + 1) b(i, j) = cos(real(i * j, dp))
  original = a
  x = b
  call gauss_jordan(a, x)
  residual = maxval(abs(matmul(original, x) - b))
  print '(a, 2es24.16)', 'elimination', residual, sum(x)
  print '(a, es24.16)', 'powers', sum(power(original, 5))
  do j = 1, n
    do i = 1, 2 * n
      tall(i, j) = sin(0.37_dp * i * j) + merge(2.0_dp, 0.0_dp, i == j)
    end do
  end do
  right = [(1.0_dp / i, i=1, 2 * n)]
  call least_squares(tall, right, residual)
  print '(a, 2es24.16)', 'fit', residual, tall(1, 1)
  t = 0.0_dp
  t(1, :) = 2.0_dp
  t(:, 1) = 1.0_dp
  forall (i=1:n, j=1:2 * n) mask(i, j) = i > 1 .and. i < n .and. j > 1 .and. j < 2 * n .and. mod(i * j, 97) /= 0
  call relax(t, mask, steps)
  print '(a, es24.16)', 'relaxed', sum(t)
end program arrays
