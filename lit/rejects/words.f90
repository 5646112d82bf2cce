! What a remark calls things: statements of Fortran by their kind, the exit that is one too many by its line; and what would help.
! RUN: %flang -O2 -g -Rpass-missed=polytile -c -o /dev/null %s 2>&1 | FileCheck %s
! CHECK: words.f90:{{[0-9]+:[0-9]+}}: remark: loop nest not transformed: an input or output statement at {{.*}}words.f90:[[#@LINE+9]]:{{[0-9]+}}; a loop of its own for it would do
subroutine prints(n, a)
  integer :: n, i, j
  real(8) :: a(n, n)
    ! the loop over columns
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j) + 1
      end do
      print *, j
    end do
end subroutine
! CHECK: words.f90:[[#@LINE+4]]:3: remark: loop nest not transformed: it has 2 exits at {{.*}}words.f90:[[#@LINE+6]]:{{[0-9]+}}; a loop without break, return and goto would do
subroutine leaves(n, a)
  integer :: n, i, j
  real(8) :: a(n, n)
  outer: do j = 1, n
    do i = 1, n
      if (a(i, j) > 10) exit outer
      a(i, j) = a(i, j) * 2
    end do
  end do outer
end subroutine
