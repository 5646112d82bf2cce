! Products, triangular solves and updates in double and complex numbers, and sums over their results.
program products
  implicit none
  integer, parameter :: d = kind(1d0)
  real(d), allocatable :: a(:, :), b(:, :), c(:, :), x(:), y(:)
  complex(d), allocatable :: u(:, :), v(:, :), w(:, :)
  character(20) :: word
  integer :: n, i, j
  call get_command_argument(1, word)
  read (word, *) n
  allocate (a(n, n), b(n, n), c(n, n), x(n), y(n), u(n, n), v(n, n), w(n, n))
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i*7 + j*13, 29)/29d0 + merge(n, 0, i == j)
      b(i, j) = mod(i*5 + j*3, 31)/31d0
      u(i, j) = cmplx(b(i, j), mod(i + j, 17)/17d0, d)
    end do
  end do
  c = 0
  x = b(:, 1)
  y = b(1, :)
  v = conjg(u)
  w = 0
  call dgemm('N', 'N', n, n, n, 1d0, a, n, b, n, 0d0, c, n)
  print *, 'dgemm NN', sum(c), c(n/2, n/3)
  call dgemm('T', 'N', n, n, n, 0.5d0, a, n, b, n, 1d0, c, n)
  print *, 'dgemm TN', sum(c), c(n/2, n/3)
  call dgemm('N', 'T', n, n, n, 0.5d0, a, n, b, n, 1d0, c, n)
  print *, 'dgemm NT', sum(c), c(n/2, n/3)
  call dsyrk('U', 'N', n, n, 1d0, b, n, 0.5d0, c, n)
  print *, 'dsyrk', sum(c), c(n/3, n/2)
  call dsymm('L', 'U', n, n, 1d0, a, n, b, n, 0.5d0, c, n)
  print *, 'dsymm', sum(c), c(n/3, n/2)
  call dtrmm('L', 'L', 'T', 'N', n, n, 0.01d0, a, n, c, n)
  print *, 'dtrmm', sum(c), c(n/3, n/2)
  call dtrsm('L', 'U', 'N', 'N', n, n, 1d0, a, n, c, n)
  print *, 'dtrsm L', sum(c), c(n/3, n/2)
  call dtrsm('R', 'L', 'T', 'N', n, n, 1d0, a, n, c, n)
  print *, 'dtrsm R', sum(c), c(n/3, n/2)
  do i = 1, 40
    call dgemv('N', n, n, 0.01d0, a, n, x, 1, 0.5d0, y, 1)
    call dgemv('T', n, n, 0.01d0, b, n, y, 1, 0.5d0, x, 1)
    call dsymv('U', n, 0.01d0, a, n, x, 1, 0.5d0, y, 1)
    call dtrsv('U', 'N', 'N', n, a, n, y, 1)
    call dger(n, n, 0.001d0, x, 1, y, 1, b, n)
  end do
  print *, 'vectors', sum(x), sum(y), sum(b)
  call zgemm('N', 'C', n, n, n, (1d0, 0.5d0), u, n, v, n, (0d0, 0d0), w, n)
  print *, 'zgemm', sum(w), w(n/2, n/3)
  call zherk('L', 'N', n, n, 0.5d0, u, n, 1d0, w, n)
  print *, 'zherk', sum(w), w(n/2, n/3)
end program
