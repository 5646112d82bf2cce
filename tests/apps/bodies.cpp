// Bodies that attract each other, as structs with small vectors, and particles in a box with a cut-off through cell lists.
// Arguments: bodies, steps, particles. In tests: 13 2 60
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Vec3 {
    double x, y, z;
    Vec3 &operator+=(const Vec3 &o) {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
};

static Vec3 operator-(const Vec3 &a, const Vec3 &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static Vec3 operator*(double s, const Vec3 &a) { return {s * a.x, s * a.y, s * a.z}; }
static double dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Body {
    Vec3 position, velocity, acceleration;
    double mass;
};

class Random {
public:
    double operator()() {
        state_ = state_ * 2862933555777941757ull + 3037000493ull;
        return (state_ >> 11) * 0x1p-53;
    }

private:
    std::uint64_t state_ = 1;
};

class Cluster {
public:
    Cluster(int n, Random &random) : bodies_(n) {
        for (Body &b : bodies_) {
            b.position = {random() - 0.5, random() - 0.5, random() - 0.5};
            b.velocity = {0.1 * random(), 0.1 * random(), 0.1 * random()};
            b.mass = (0.5 + random()) / n;
        }
        accelerate();
    }

    void step(double dt) {
        for (Body &b : bodies_) {
            b.velocity += 0.5 * dt * b.acceleration;
            b.position += dt * b.velocity;
        }
        accelerate();
        for (Body &b : bodies_)
            b.velocity += 0.5 * dt * b.acceleration;
    }

    double energy() const {
        double e = 0.0;
        for (std::size_t i = 0; i < bodies_.size(); i++) {
            e += 0.5 * bodies_[i].mass * dot(bodies_[i].velocity, bodies_[i].velocity);
            for (std::size_t j = i + 1; j < bodies_.size(); j++) {
                Vec3 d = bodies_[j].position - bodies_[i].position;
                e -= bodies_[i].mass * bodies_[j].mass / std::sqrt(dot(d, d) + softening_);
            }
        }
        return e;
    }

private:
    void accelerate() {
        for (Body &a : bodies_) {
            Vec3 sum = {0.0, 0.0, 0.0};
            for (const Body &b : bodies_) {
                Vec3 d = b.position - a.position;
                double r2 = dot(d, d) + softening_;
                sum += b.mass / (r2 * std::sqrt(r2)) * d;
            }
            a.acceleration = sum;
        }
    }

    static constexpr double softening_ = 1e-4;
    std::vector<Body> bodies_;
};

/* Lennard-Jones particles in a periodic box. */
class Fluid {
public:
    Fluid(int n, Random &random) : n_(n), r_(3 * n), v_(3 * n), f_(3 * n) {
        int side = 1;
        while (side * side * side < n)
            side++;
        length_ = 1.2 * side;
        cells_ = std::max(1, int(length_ / cut_));
        for (int i = 0; i < n; i++) {
            int place[3] = {i % side, i / side % side, i / (side * side)};
            for (int d = 0; d < 3; d++) {
                r_[3 * i + d] = 1.2 * (place[d] + 0.5) + 0.1 * (random() - 0.5);
                v_[3 * i + d] = random() - 0.5;
            }
        }
    }

    void step(double dt) {
        sort();
        forces();
        for (int i = 0; i < 3 * n_; i++) {
            v_[i] += dt * f_[i];
            r_[i] += dt * v_[i];
            if (r_[i] < 0.0)
                r_[i] += length_;
            else if (r_[i] >= length_)
                r_[i] -= length_;
        }
    }

    double kinetic() const {
        double e = 0.0;
        for (double v : v_)
            e += 0.5 * v * v;
        return e;
    }

    double potential() const { return potential_; }

private:
    int cell(int i) const {
        int c[3];
        for (int d = 0; d < 3; d++)
            c[d] = std::min(cells_ - 1, int(r_[3 * i + d] / length_ * cells_));
        return (c[2] * cells_ + c[1]) * cells_ + c[0];
    }

    void sort() {
        head_.assign(cells_ * cells_ * cells_, -1);
        next_.assign(n_, -1);
        for (int i = 0; i < n_; i++) {
            int c = cell(i);
            next_[i] = head_[c];
            head_[c] = i;
        }
    }

    void forces() {
        f_.assign(3 * n_, 0.0);
        potential_ = 0.0;
        for (int i = 0; i < n_; i++) {
            int c = cell(i), cx = c % cells_, cy = c / cells_ % cells_, cz = c / (cells_ * cells_);
            for (int dz = -1; dz <= 1; dz++)
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        int x = (cx + dx + cells_) % cells_, y = (cy + dy + cells_) % cells_, z = (cz + dz + cells_) % cells_;
                        for (int j = head_[(z * cells_ + y) * cells_ + x]; j >= 0; j = next_[j])
                            if (j != i)
                                pair(i, j);
                    }
        }
    }

    void pair(int i, int j) {
        double d[3], r2 = 0.0;
        for (int k = 0; k < 3; k++) {
            d[k] = r_[3 * i + k] - r_[3 * j + k];
            d[k] -= length_ * std::nearbyint(d[k] / length_);
            r2 += d[k] * d[k];
        }
        if (r2 >= cut_ * cut_)
            return;
        double s = 1.0 / r2, s3 = s * s * s;
        potential_ += 2.0 * s3 * (s3 - 1.0);
        for (int k = 0; k < 3; k++)
            f_[3 * i + k] += 24.0 * s * s3 * (2.0 * s3 - 1.0) * d[k];
    }

    static constexpr double cut_ = 2.5;
    int n_, cells_;
    double length_, potential_ = 0.0;
    std::vector<double> r_, v_, f_;
    std::vector<int> head_, next_;
};

int main(int argc, char **argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 1500;
    int steps = argc > 2 ? std::atoi(argv[2]) : 30;
    int particles = argc > 3 ? std::atoi(argv[3]) : 3000;
    Random random;
    Cluster cluster(n, random);
    Fluid fluid(particles, random);
    for (int s = 0; s < steps; s++) {
        cluster.step(1e-3);
        fluid.step(1e-3);
    }
    std::printf("cluster %.17g kinetic %.17g potential %.17g\n", cluster.energy(), fluid.kinetic(), fluid.potential());
    return 0;
}
