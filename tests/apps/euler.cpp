// Euler's equations of gas in the plane: slopes with a limiter, HLL fluxes, two-stage Runge-Kutta, a blast in a box.
// Arguments: cells per side, steps. In tests: 16 3
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class T> class Grid {
public:
    Grid(int nx, int ny, int ghost) : nx_(nx), ny_(ny), ghost_(ghost), data_((nx + 2 * ghost) * (ny + 2 * ghost)) {}
    T &operator()(int i, int j) { return data_[index(i, j)]; }
    const T &operator()(int i, int j) const { return data_[index(i, j)]; }
    int nx() const { return nx_; }
    int ny() const { return ny_; }
    void swap(Grid &other) { data_.swap(other.data_); }

private:
    int index(int i, int j) const { return (j + ghost_) * (nx_ + 2 * ghost_) + i + ghost_; }
    int nx_, ny_, ghost_;
    std::vector<T> data_;
};

struct Cell {
    double rho = 0.0, mx = 0.0, my = 0.0, e = 0.0;
};

static Cell operator+(const Cell &a, const Cell &b) { return {a.rho + b.rho, a.mx + b.mx, a.my + b.my, a.e + b.e}; }
static Cell operator-(const Cell &a, const Cell &b) { return {a.rho - b.rho, a.mx - b.mx, a.my - b.my, a.e - b.e}; }
static Cell operator*(double s, const Cell &a) { return {s * a.rho, s * a.mx, s * a.my, s * a.e}; }

class Euler {
public:
    Euler(int n, double gamma)
        : n_(n), gamma_(gamma), h_(1.0 / n), u_(n, n, 2), stage_(n, n, 2), fx_(n + 1, n, 2), fy_(n, n + 1, 2) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                double x = (i + 0.5) * h_ - 0.5, y = (j + 0.5) * h_ - 0.45;
                double p = x * x + y * y < 0.01 ? 10.0 : 0.1;
                u_(i, j) = {1.0, 0.0, 0.0, p / (gamma_ - 1.0)};
            }
        }
    }

    double timeStep() const {
        double fastest = 0.0;
        for (int j = 0; j < n_; j++)
            for (int i = 0; i < n_; i++)
                fastest = std::max(fastest, speed(u_(i, j)));
        return 0.3 * h_ / fastest;
    }

    void step(double dt) {
        fluxes(u_);
        for (int j = 0; j < n_; j++)
            for (int i = 0; i < n_; i++)
                stage_(i, j) = u_(i, j) - dt / h_ * divergence(i, j);
        fluxes(stage_);
        for (int j = 0; j < n_; j++)
            for (int i = 0; i < n_; i++)
                u_(i, j) = 0.5 * (u_(i, j) + stage_(i, j) - dt / h_ * divergence(i, j));
    }

    void report(double time) const {
        Cell sum;
        double high = 0.0;
        for (int j = 0; j < n_; j++) {
            for (int i = 0; i < n_; i++) {
                sum = sum + u_(i, j);
                high = std::max(high, pressure(u_(i, j)));
            }
        }
        std::printf("time %.17g mass %.17g energy %.17g pressure %.17g\n", time, sum.rho * h_ * h_, sum.e * h_ * h_, high);
    }

private:
    double pressure(const Cell &c) const { return (gamma_ - 1.0) * (c.e - 0.5 * (c.mx * c.mx + c.my * c.my) / c.rho); }

    double speed(const Cell &c) const {
        double sound = std::sqrt(gamma_ * pressure(c) / c.rho);
        return std::max(std::fabs(c.mx / c.rho), std::fabs(c.my / c.rho)) + sound;
    }

    static double minmod(double a, double b) {
        if (a * b <= 0.0)
            return 0.0;
        return std::fabs(a) < std::fabs(b) ? a : b;
    }

    static Cell slope(const Cell &l, const Cell &c, const Cell &r) {
        return {minmod(c.rho - l.rho, r.rho - c.rho), minmod(c.mx - l.mx, r.mx - c.mx),
                minmod(c.my - l.my, r.my - c.my), minmod(c.e - l.e, r.e - c.e)};
    }

    Cell flux(const Cell &c, bool along_x) const {
        double p = pressure(c), v = (along_x ? c.mx : c.my) / c.rho;
        Cell f = v * c;
        (along_x ? f.mx : f.my) += p;
        f.e += v * p;
        return f;
    }

    Cell hll(const Cell &l, const Cell &r, bool along_x) const {
        double vl = (along_x ? l.mx : l.my) / l.rho, vr = (along_x ? r.mx : r.my) / r.rho;
        double al = std::sqrt(gamma_ * pressure(l) / l.rho), ar = std::sqrt(gamma_ * pressure(r) / r.rho);
        double sl = std::min(vl - al, vr - ar), sr = std::max(vl + al, vr + ar);
        if (sl >= 0.0)
            return flux(l, along_x);
        if (sr <= 0.0)
            return flux(r, along_x);
        return 1.0 / (sr - sl) * (sr * flux(l, along_x) - sl * flux(r, along_x) + sl * sr * (r - l));
    }

    void mirror(Grid<Cell> &u) const {
        for (int j = 0; j < n_; j++) {
            for (int g = 1; g <= 2; g++) {
                u(-g, j) = u(g - 1, j);
                u(-g, j).mx *= -1.0;
                u(n_ - 1 + g, j) = u(n_ - g, j);
                u(n_ - 1 + g, j).mx *= -1.0;
            }
        }
        for (int i = -2; i < n_ + 2; i++) {
            for (int g = 1; g <= 2; g++) {
                u(i, -g) = u(i, g - 1);
                u(i, -g).my *= -1.0;
                u(i, n_ - 1 + g) = u(i, n_ - g);
                u(i, n_ - 1 + g).my *= -1.0;
            }
        }
    }

    void fluxes(Grid<Cell> &u) {
        mirror(u);
        for (int j = 0; j < n_; j++) {
            for (int i = 0; i <= n_; i++) {
                Cell l = u(i - 1, j) + 0.5 * slope(u(i - 2, j), u(i - 1, j), u(i, j));
                Cell r = u(i, j) - 0.5 * slope(u(i - 1, j), u(i, j), u(i + 1, j));
                fx_(i, j) = hll(l, r, true);
            }
        }
        for (int j = 0; j <= n_; j++) {
            for (int i = 0; i < n_; i++) {
                Cell l = u(i, j - 1) + 0.5 * slope(u(i, j - 2), u(i, j - 1), u(i, j));
                Cell r = u(i, j) - 0.5 * slope(u(i, j - 1), u(i, j), u(i, j + 1));
                fy_(i, j) = hll(l, r, false);
            }
        }
    }

    Cell divergence(int i, int j) const { return fx_(i + 1, j) - fx_(i, j) + (fy_(i, j + 1) - fy_(i, j)); }

    int n_;
    double gamma_, h_;
    Grid<Cell> u_, stage_, fx_, fy_;
};

int main(int argc, char **argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 200;
    int steps = argc > 2 ? std::atoi(argv[2]) : 60;
    Euler gas(n, 1.4);
    double time = 0.0;
    for (int s = 0; s < steps; s++) {
        double dt = gas.timeStep();
        gas.step(dt);
        time += dt;
    }
    gas.report(time);
    return 0;
}
