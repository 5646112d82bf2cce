// Five fields of ROWS rows in one array, scaled: of all rows, of few, and of SOME.
#include <stdio.h>

int size[3];
double field[5][ROWS][37][37];

__attribute__((noinline)) void scale(double by) {
  for (int m = 0; m < 5; m++)
    for (int i = 1; i <= size[0] - 2; i++)
      for (int j = 1; j <= size[1] - 2; j++)
        for (int k = 1; k <= size[2] - 2; k++)
          field[m][i][j][k] = field[m][i][j][k] * by;
}

#ifdef MAIN
int main(void) {
  static const int sizes[][3] = {{ROWS, 37, 37}, {3, 4, 5}, {2, 9, 9}, {SOME, 36, 37}};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (int d = 0; d < 3; d++)
      size[d] = sizes[s][d];
    for (int n = 0; n < 5 * ROWS * 37 * 37; n++)
      (&field[0][0][0][0])[n] = (n * 7 % 1009) * 0.25;
    scale(1.0 / (3 + s));
    double sum = 0;
    for (int n = 0; n < 5 * ROWS * 37 * 37; n++)
      sum = sum * 0.75 + (&field[0][0][0][0])[n];
    printf("%a %a\n", sum, field[4][1][2][3]);
  }
  return 0;
}
#endif
