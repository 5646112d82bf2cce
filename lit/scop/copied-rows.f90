! Rows that LLVM copies as memory, in nests that compute with one of the two or with neither: rows of arrays that are only copied
! are as long as those of the other side, and so are their elements.
! RUN: rm -rf %t && mkdir -p %t && flang-22 -O3 -march=native -module-dir %t %s -o %t/plain && %t/plain > %t/expected
! RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %flang -O3 -march=native -fopenmp -module-dir %t %s -o %t/new
! RUN: env OMP_NUM_THREADS=1 %t/new | cmp - %t/expected
! RUN: env OMP_NUM_THREADS=3 %t/new | cmp - %t/expected
! RUN: %flang -O3 -march=x86-64-v3 -g1 -Rpass=polytile -Rpass-missed=polytile -mllvm -polytile-min-work=0 -S -o /dev/null -module-dir %t %s 2>&1 | FileCheck %s
module kernels
contains
  ! CHECK: copied-rows.f90:[[@LINE+7]]:7: remark: loop nest transformed
  subroutine volumes(nx, ny, volume, flux, post, pre)
    implicit none
    integer :: nx, ny, j, k
    real(8), dimension(-1:nx+2,-1:ny+2) :: volume, post, pre
    real(8), dimension(-1:nx+2,-1:ny+3) :: flux
    do k = -1, ny + 2
      do j = -1, nx + 2
        post(j,k) = volume(j,k)
        pre(j,k) = post(j,k) + flux(j,k+1) - flux(j,k)
      end do
    end do
  end subroutine
  ! A part of each row, into rows of another length.
  subroutine inner(nx, ny, from, to, sum)
    implicit none
    integer :: nx, ny, j, k
    integer :: from(nx,ny), to(nx+3,ny), sum(nx,ny)
    do k = 1, ny
      do j = 2, nx
        to(j,k) = from(j-1,k)
        sum(j,k) = sum(j,k) + from(j-1,k)
      end do
    end do
  end subroutine
  ! A row that is copied in front of a row that is computed from it.
  subroutine mixed(n, from, to, next)
    implicit none
    integer :: n, j, k
    real(4) :: from(n,n), to(n,n), next(n,n)
    do k = 1, n
      do j = 1, n
        to(j,k) = from(j,k)
      end do
      do j = 1, n
        next(j,k) = to(j,k)*0.5 + from(j,n+1-k)
      end do
    end do
  end subroutine
end module
program copied
  use kernels
  implicit none
  integer, parameter :: sizes(6) = [0, 1, 2, 5, 33, 70]
  integer :: s, n, i
  real(8), allocatable :: volume(:,:), flux(:,:), post(:,:), pre(:,:)
  integer, allocatable :: from(:,:), to(:,:), sums(:,:)
  real(4), allocatable :: a(:,:), b(:,:), c(:,:)
  do s = 1, size(sizes)
    n = sizes(s)
    allocate(volume(n+4,n+4), flux(n+4,n+5), post(n+4,n+4), pre(n+4,n+4))
    volume = reshape([(mod(i*7, 23)*0.5d0, i = 1, (n+4)**2)], [n+4, n+4])
    flux = reshape([(mod(i*5, 19)*0.25d0, i = 1, (n+4)*(n+5))], [n+4, n+5])
    post = -1
    pre = -1
    call volumes(n, n, volume, flux, post, pre)
    print '(2e25.17)', sum(post*flux(:,2:)), sum(pre*flux(:,2:))
    allocate(from(n,n), to(n+3,n), sums(n,n))
    from = reshape([(mod(i*7, 23), i = 1, n*n)], [n, n])
    to = -1
    sums = 3
    call inner(n, n, from, to, sums)
    print *, sum(to), sum(sums)
    allocate(a(n,n), b(n,n), c(n,n))
    a = from
    call mixed(n, a, b, c)
    print '(2e25.17)', sum(b), sum(c)
    deallocate(volume, flux, post, pre, from, to, sums, a, b, c)
  end do
end program
