// Bodies in a vector that a class steps forward: fills of structures say nothing about what they leave alone, so that the vector's ends are loaded again in the
// loop, by which branches go there as they went in front of it, and handed on to the next loop. Sums over fields run in lanes.
// RUN: clang++-22 -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %clangxx -O3 -march=native -fopenmp -g1 -Rpass=polytile %s -o %t.new 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.new | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

struct Vec3 {
  double x, y, z;
  Vec3 operator-(const Vec3 &o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vec3 operator*(double s) const { return {x * s, y * s, z * s}; }
  Vec3 &operator+=(const Vec3 &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  double norm2() const { return x * x + y * y + z * z; }
};

struct Body {
  Vec3 pos, vel, acc;
  double mass;
};

struct Numbers {
  double v[3];
  double &operator[](int i) { return v[i]; }
  friend Numbers operator+(Numbers a, const Numbers &b) {
    for (int i = 0; i < 3; ++i)
      a.v[i] += b.v[i];
    return a;
  }
  friend Numbers operator*(double s, Numbers a) {
    for (int i = 0; i < 3; ++i)
      a.v[i] *= s;
    return a;
  }
};

class System {
public:
  std::vector<Body> b;
  std::vector<Numbers> from, to;
  double eps = 1e-4;

  explicit System(int n) : b(n), from(n), to(n) {
    for (int i = 0; i < n; i++) {
      b[i].pos = {(i * 37 % 101) / 101.0, (i * 53 % 103) / 103.0, (i * 71 % 107) / 107.0};
      b[i].mass = 1.0 / n;
      for (int k = 0; k < 3; k++)
        from[i][k] = i + k * 0.25;
    }
  }

  // CHECK-DAG: bodies-in-steps.cpp:[[@LINE+2]]:5: remark: loop nest transformed: {{.*}}vector loop
  void step(double dt) {
    for (auto &p : b) {
      p.acc = {0, 0, 0};
      for (const auto &q : b) {
        Vec3 d = q.pos - p.pos;
        double inv = 1.0 / std::sqrt(d.norm2() + eps);
        p.acc += d * (q.mass * inv * inv * inv);
      }
    }
    for (auto &p : b) {
      p.vel += p.acc * dt;
      p.pos += p.vel * dt;
    }
  }

  // A length that is computed in each iteration from ends that are loaded there.
  // CHECK-DAG: bodies-in-steps.cpp:[[@LINE+2]]:5: remark: loop nest transformed
  void add(double dt) {
    for (std::size_t i = 0; i < from.size(); ++i)
      to[i] = to[i] + dt * from[i];
  }
};

int main() {
  for (int n : {0, 1, 7, 300}) {
    System s(n);
    for (int t = 0; t < 3; t++) {
      s.step(1e-3);
      s.add(0.5);
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += s.b[i].pos.x + 2 * s.b[i].vel.y + 3 * s.b[i].acc.z + s.to[i][i % 3];
    std::printf("%d %.17g\n", n, sum);
  }
}
