// A region that is given up is not tried again with a block or a value more: what follows the loop here fits no statement.
// RUN: env POLYTILE=dump=region %clang -O3 -c -o /dev/null %s 2>&1 | grep -c "^region" | FileCheck %s
// CHECK: {{^[1-5]$}}
#include <stddef.h>
#include <stdint.h>
#include <string.h>
uint64_t mixed(uint64_t hash, const void *data, size_t bytes) {
  const char *at = data;
  for (; bytes >= 8; at += 8, bytes -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash = (hash ^ word) * 0x100000001b3u;
  }
  for (; bytes; at++, bytes--)
    hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
  return hash;
}
