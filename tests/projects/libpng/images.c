/* Writes an image with each filter of PNG and each colour type, reads it back under the usual transformations, and prints
   checksums of the pixels. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long sum = 14695981039346656037ul;
static unsigned char *bytes;
static size_t used, at, room;

static void put(png_structp png, png_bytep data, size_t size) {
  (void)png;
  if (used + size > room) bytes = realloc(bytes, room = 2 * (used + size));
  for (size_t i = 0; i < size; i++) bytes[used++] = data[i];
}

static void get(png_structp png, png_bytep data, size_t size) {
  if (at + size > used) png_error(png, "end");
  for (size_t i = 0; i < size; i++) data[i] = bytes[at++];
}

static void write_image(int side, int type, int depth, int filter, int interlace) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  used = at = 0;
  if (setjmp(png_jmpbuf(png))) exit(1);
  png_set_write_fn(png, NULL, put, NULL);
  png_set_IHDR(png, info, side, side, depth, type, interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(png, 0, filter);
  png_set_compression_level(png, 1);
  png_write_info(png, info);
  size_t row = png_get_rowbytes(png, info);
  unsigned char *line = malloc(row);
  for (int pass = interlace ? png_set_interlace_handling(png) : 1; pass > 0; pass--)
    for (int y = 0; y < side; y++) {
      for (size_t x = 0; x < row; x++) line[x] = (x * x / 7 + y * x / 3 + y * y / 5) >> (x % 3);
      png_write_row(png, line);
    }
  png_write_end(png, info);
  free(line);
  png_destroy_write_struct(&png, &info);
}

static void read_image(int side, int how) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  at = 0;
  if (setjmp(png_jmpbuf(png))) exit(1);
  png_set_read_fn(png, NULL, get);
  png_read_info(png, info);
  if (how & 1) png_set_expand(png), png_set_gray_to_rgb(png);
  if (how & 2) png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER), png_set_swap_alpha(png);
  if (how & 4) png_set_strip_16(png), png_set_bgr(png);
  if (how & 8) png_set_gamma(png, 2.2, 0.5);
  if ((how & 11) == 8) png_set_rgb_to_gray(png, 1, -1, -1);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  size_t row = png_get_rowbytes(png, info);
  unsigned char **rows = malloc(side * sizeof *rows);
  for (int y = 0; y < side; y++) rows[y] = calloc(row, 1);
  png_read_image(png, rows);
  for (int y = 0; y < side; y++) {
    for (size_t x = 0; x < row; x++) sum = (sum ^ rows[y][x]) * 1099511628211ul;
    free(rows[y]);
  }
  free(rows);
  png_destroy_read_struct(&png, &info, NULL);
}

int main(int argc, char **argv) {
  int side = argc > 1 ? atoi(argv[1]) : 100;
  int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
  for (int type = 0; type < 4; type++)
    for (int depth = 8; depth <= 16; depth += 8)
      for (int filter = PNG_FILTER_NONE; filter <= PNG_FILTER_PAETH; filter *= 2) {
        write_image(side, types[type], depth, filter, filter == PNG_FILTER_UP);
        for (int how = 0; how < 16; how++) read_image(side, how);
        printf("%d %d %d %zu %016lx\n", type, depth, filter, used, sum);
      }
}
