! Block tridiagonal solver in three directions: implicit steps of a coupled diffusion of five fields, blocks of five by five.
! Arguments: cells per side, steps. In tests: 8 1
module fields
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer :: n
  real(dp) :: dt, h
  real(dp), allocatable :: u(:, :, :, :), rhs(:, :, :, :), forcing(:, :, :, :)
  real(dp) :: coupling(5, 5)
contains
  subroutine set_up(cells)
    integer, intent(in) :: cells
    integer :: i, j, k, m, l
    n = cells
    h = 1.0_dp / (n - 1)
    dt = 0.4_dp * h
    allocate (u(5, n, n, n), rhs(5, n, n, n), forcing(5, n, n, n))
    do m = 1, 5
      do l = 1, 5
        coupling(l, m) = 0.1_dp / (1.0_dp + abs(l - m))
      end do
      coupling(m, m) = 1.0_dp
    end do
    do k = 1, n
      do j = 1, n
        do i = 1, n
          do m = 1, 5
            u(m, i, j, k) = sin(3.0_dp * m * h * (i - 1)) + 0.5_dp * cos(2.0_dp * h * (j + m)) * h * k
            forcing(m, i, j, k) = 0.01_dp * m * exp(-h * (i + j + k))
          end do
        end do
      end do
    end do
  end subroutine set_up
end module fields

module blocks
  use fields, only: dp
  implicit none
contains
  ! c = inverse of lhs times c, r = inverse of lhs times r; no pivoting, the blocks are dominated by their diagonals.
  subroutine binvcrhs(lhs, c, r)
    real(dp), intent(inout) :: lhs(5, 5), c(5, 5), r(5)
    real(dp) :: pivot, coeff
    integer :: p, q, l
    do p = 1, 5
      pivot = 1.0_dp / lhs(p, p)
      do l = p + 1, 5
        lhs(p, l) = lhs(p, l) * pivot
      end do
      do l = 1, 5
        c(p, l) = c(p, l) * pivot
      end do
      r(p) = r(p) * pivot
      do q = 1, 5
        if (q /= p) then
          coeff = lhs(q, p)
          do l = p + 1, 5
            lhs(q, l) = lhs(q, l) - coeff * lhs(p, l)
          end do
          do l = 1, 5
            c(q, l) = c(q, l) - coeff * c(p, l)
          end do
          r(q) = r(q) - coeff * r(p)
        end if
      end do
    end do
  end subroutine binvcrhs

  subroutine matvec_sub(a, v, b)
    real(dp), intent(in) :: a(5, 5), v(5)
    real(dp), intent(inout) :: b(5)
    integer :: i, j
    do i = 1, 5
      do j = 1, 5
        b(i) = b(i) - a(i, j) * v(j)
      end do
    end do
  end subroutine matvec_sub

  subroutine matmul_sub(a, b, c)
    real(dp), intent(in) :: a(5, 5), b(5, 5)
    real(dp), intent(inout) :: c(5, 5)
    integer :: i, j, k
    do j = 1, 5
      do i = 1, 5
        do k = 1, 5
          c(i, j) = c(i, j) - a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine matmul_sub
end module blocks

module solver
  use fields
  use blocks
  implicit none
contains
  subroutine compute_rhs()
    integer :: i, j, k, m
    do k = 1, n
      do j = 1, n
        do i = 1, n
          do m = 1, 5
            rhs(m, i, j, k) = dt * forcing(m, i, j, k)
          end do
        end do
      end do
    end do
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          do m = 1, 5
            rhs(m, i, j, k) = rhs(m, i, j, k) + dt * h * (u(m, i + 1, j, k) + u(m, i - 1, j, k) + u(m, i, j + 1, k) &
                              + u(m, i, j - 1, k) + u(m, i, j, k + 1) + u(m, i, j, k - 1) - 6.0_dp * u(m, i, j, k))
          end do
        end do
      end do
    end do
  end subroutine compute_rhs

  subroutine fill_blocks(line, lhs)
    real(dp), intent(in) :: line(5, n)
    real(dp), intent(out) :: lhs(5, 5, 3, n)
    integer :: i, l, m
    do i = 2, n - 1
      do m = 1, 5
        do l = 1, 5
          lhs(l, m, 1, i) = -dt * coupling(l, m) * (1.0_dp + 0.1_dp * line(l, i - 1))
          lhs(l, m, 2, i) = 2.0_dp * dt * coupling(l, m) * (1.0_dp + 0.1_dp * line(m, i))
          lhs(l, m, 3, i) = -dt * coupling(l, m) * (1.0_dp + 0.1_dp * line(l, i + 1))
        end do
        lhs(m, m, 2, i) = lhs(m, m, 2, i) + 1.0_dp
      end do
    end do
    lhs(:, :, :, 1) = 0.0_dp
    lhs(:, :, :, n) = 0.0_dp
    do m = 1, 5
      lhs(m, m, 2, 1) = 1.0_dp
      lhs(m, m, 2, n) = 1.0_dp
    end do
  end subroutine fill_blocks

  subroutine x_solve()
    real(dp) :: lhs(5, 5, 3, n)
    integer :: i, j, k, m, l
    do k = 2, n - 1
      do j = 2, n - 1
        call fill_blocks(u(:, :, j, k), lhs)
        call binvcrhs(lhs(:, :, 2, 1), lhs(:, :, 3, 1), rhs(:, 1, j, k))
        do i = 2, n
          call matvec_sub(lhs(:, :, 1, i), rhs(:, i - 1, j, k), rhs(:, i, j, k))
          call matmul_sub(lhs(:, :, 1, i), lhs(:, :, 3, i - 1), lhs(:, :, 2, i))
          call binvcrhs(lhs(:, :, 2, i), lhs(:, :, 3, i), rhs(:, i, j, k))
        end do
        do i = n - 1, 1, -1
          do m = 1, 5
            do l = 1, 5
              rhs(m, i, j, k) = rhs(m, i, j, k) - lhs(m, l, 3, i) * rhs(l, i + 1, j, k)
            end do
          end do
        end do
      end do
    end do
  end subroutine x_solve

  ! Along z the blocks of all lines of a plane are kept, as the lines lie far apart.
  subroutine z_solve()
    real(dp) :: lhs(5, 5, 3, n), line(5, n), right(5, n)
    integer :: i, j, k, m, l
    do j = 2, n - 1
      do i = 2, n - 1
        do k = 1, n
          line(:, k) = u(:, i, j, k)
          right(:, k) = rhs(:, i, j, k)
        end do
        call fill_blocks(line, lhs)
        call binvcrhs(lhs(:, :, 2, 1), lhs(:, :, 3, 1), right(:, 1))
        do k = 2, n
          call matvec_sub(lhs(:, :, 1, k), right(:, k - 1), right(:, k))
          call matmul_sub(lhs(:, :, 1, k), lhs(:, :, 3, k - 1), lhs(:, :, 2, k))
          call binvcrhs(lhs(:, :, 2, k), lhs(:, :, 3, k), right(:, k))
        end do
        do k = n - 1, 1, -1
          do m = 1, 5
            do l = 1, 5
              right(m, k) = right(m, k) - lhs(m, l, 3, k) * right(l, k + 1)
            end do
          end do
        end do
        do k = 1, n
          rhs(:, i, j, k) = right(:, k)
        end do
      end do
    end do
  end subroutine z_solve

  subroutine add()
    integer :: i, j, k, m
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          do m = 1, 5
            u(m, i, j, k) = u(m, i, j, k) + rhs(m, i, j, k)
          end do
        end do
      end do
    end do
  end subroutine add
end module solver

program blocktri
  use solver
  implicit none
  integer :: cells, steps, step, m
  character(len=32) :: argument
  real(dp) :: sums(5)
  cells = 40
  steps = 15
  if (command_argument_count() >= 1) then
    call get_command_argument(1, argument)
    read (argument, *) cells
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, argument)
    read (argument, *) steps
  end if
  call set_up(cells)
  do step = 1, steps
    call compute_rhs()
    call x_solve()
    call z_solve()
    call add()
  end do
  do m = 1, 5
    sums(m) = sqrt(sum(u(m, :, :, :)**2) / real(n, dp)**3)
  end do
  print '(a, 5es24.16)', 'norms', sums
end program blocktri
