! Linear systems, least squares, eigenvalues and singular values.
program systems
  implicit none
  integer, parameter :: d = kind(1d0)
  real(d), allocatable :: a(:, :), c(:, :), b(:), w(:), v(:), vl(:, :), vr(:, :), work(:)
  integer, allocatable :: pivots(:)
  character(20) :: word
  integer :: n, i, j, info
  call get_command_argument(1, word)
  read (word, *) n
  allocate (a(n, n), c(n, n), b(n), w(n), v(n), vl(n, n), vr(n, n), pivots(n), work(64*n + n*n))
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i*i*7 + j*13, 101)/101d0 - 0.5d0
    end do
  end do
  b = [(mod(i, 7)/3d0, i=1, n)]
  c = a
  w = b
  call dgesv(n, 1, c, n, pivots, w, n, info)
  print *, 'dgesv', info, sum(w), w(1)
  call dgetri(n, c, n, pivots, work, size(work), info)
  print *, 'dgetri', info, sum(c)
  c = matmul(transpose(a), a)
  do i = 1, n
    c(i, i) = c(i, i) + n
  end do
  w = b
  call dposv('L', n, 1, c, n, w, n, info)
  print *, 'dposv', info, sum(w)
  c = a
  w = b
  call dgels('N', n, n, 1, c, n, w, n, work, size(work), info)
  print *, 'dgels', info, sum(w)
  c = a + transpose(a)
  call dsyev('V', 'U', n, c, n, w, work, size(work), info)
  print *, 'dsyev', info, w(1), w(n/2), w(n), sum(c)
  c = a
  call dgeev('N', 'V', n, c, n, w, v, vl, n, vr, n, work, size(work), info)
  print *, 'dgeev', info, sum(w), maxval(v), sum(vr)
  c = a
  call dgesvd('A', 'A', n, n, c, n, w, vl, n, vr, n, work, size(work), info)
  print *, 'dgesvd', info, w(1), w(n), sum(vl), sum(vr)
end program
