// Clusters and neighbours of points: k-means until nothing moves, k nearest neighbours by distance, a covariance and its axis.
// Arguments: points, dimensions, clusters. In tests: 50 5 4
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

using Point = std::vector<double>;

class Points {
public:
    Points(int count, int dim) : count_(count), dim_(dim), data_(count * dim) {}
    double *operator[](int i) { return &data_[i * dim_]; }
    const double *operator[](int i) const { return &data_[i * dim_]; }
    int count() const { return count_; }
    int dim() const { return dim_; }

private:
    int count_, dim_;
    std::vector<double> data_;
};

static double squared_distance(const double *a, const double *b, int dim) {
    double sum = 0.0;
    for (int d = 0; d < dim; d++) {
        double diff = a[d] - b[d];
        sum += diff * diff;
    }
    return sum;
}

static Points generate(int count, int dim, int clusters) {
    Points p(count, dim);
    unsigned state = 99u;
    auto next = [&state] {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) / 16777216.0;
    };
    for (int i = 0; i < count; i++)
        for (int d = 0; d < dim; d++)
            p[i][d] = (i % clusters) * ((d + i % clusters) % 3) + 4.0 * (next() + next() - 1.0);
    return p;
}

static int assign(const Points &points, const Points &centres, std::vector<int> &label) {
    int moved = 0;
    for (int i = 0; i < points.count(); i++) {
        int best = 0;
        double least = std::numeric_limits<double>::max();
        for (int c = 0; c < centres.count(); c++) {
            double d = squared_distance(points[i], centres[c], points.dim());
            if (d < least) {
                least = d;
                best = c;
            }
        }
        if (label[i] != best) {
            label[i] = best;
            moved++;
        }
    }
    return moved;
}

static void update(const Points &points, const std::vector<int> &label, Points &centres) {
    std::vector<int> members(centres.count());
    for (int c = 0; c < centres.count(); c++)
        std::fill(centres[c], centres[c] + centres.dim(), 0.0);
    for (int i = 0; i < points.count(); i++) {
        members[label[i]]++;
        for (int d = 0; d < points.dim(); d++)
            centres[label[i]][d] += points[i][d];
    }
    for (int c = 0; c < centres.count(); c++)
        if (members[c] > 0)
            for (int d = 0; d < centres.dim(); d++)
                centres[c][d] /= members[c];
}

/* The sum of the distances of some points to their k nearest ones, and how many of these share the label. */
static std::pair<double, int> nearest(const Points &points, const std::vector<int> &label, int queries, int k) {
    double sum = 0.0;
    int same = 0;
    std::vector<std::pair<double, int>> found(points.count());
    for (int q = 0; q < queries; q++) {
        for (int i = 0; i < points.count(); i++)
            found[i] = {squared_distance(points[q], points[i], points.dim()), i};
        std::partial_sort(found.begin(), found.begin() + k + 1, found.end());
        for (int n = 1; n <= k; n++) {
            sum += std::sqrt(found[n].first);
            same += label[found[n].second] == label[q];
        }
    }
    return {sum, same};
}

static std::vector<Point> covariance(const Points &points) {
    int dim = points.dim();
    Point mean(dim);
    for (int i = 0; i < points.count(); i++)
        for (int d = 0; d < dim; d++)
            mean[d] += points[i][d];
    for (double &m : mean)
        m /= points.count();
    std::vector<Point> c(dim, Point(dim));
    for (int i = 0; i < points.count(); i++)
        for (int a = 0; a < dim; a++)
            for (int b = 0; b < dim; b++)
                c[a][b] += (points[i][a] - mean[a]) * (points[i][b] - mean[b]);
    for (Point &row : c)
        for (double &v : row)
            v /= points.count() - 1;
    return c;
}

static double principal(const std::vector<Point> &matrix, int rounds) {
    std::size_t n = matrix.size();
    Point v(n, 1.0), w(n);
    double length = 0.0;
    for (int r = 0; r < rounds; r++) {
        length = 0.0;
        for (std::size_t i = 0; i < n; i++) {
            w[i] = 0.0;
            for (std::size_t j = 0; j < n; j++)
                w[i] += matrix[i][j] * v[j];
            length += w[i] * w[i];
        }
        length = std::sqrt(length);
        for (std::size_t i = 0; i < n; i++)
            v[i] = w[i] / length;
    }
    return length;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? std::atoi(argv[1]) : 30000;
    int dim = argc > 2 ? std::atoi(argv[2]) : 32;
    int clusters = argc > 3 ? std::atoi(argv[3]) : 32;
    Points points = generate(count, dim, clusters), centres(clusters, dim);
    std::vector<int> label(count, -1);
    for (int c = 0; c < clusters; c++)
        std::copy(points[c * 7 % count], points[c * 7 % count] + dim, centres[c]);
    int rounds = 0, moved = 1;
    while (moved > 0 && rounds < 40) {
        moved = assign(points, centres, label);
        update(points, label, centres);
        rounds++;
    }
    double inertia = 0.0;
    for (int i = 0; i < count; i++)
        inertia += squared_distance(points[i], centres[label[i]], dim);
    auto [sum, same] = nearest(points, label, std::min(count, 400), std::min(count - 1, 10));
    double axis = principal(covariance(points), 50);
    std::printf("rounds %d inertia %.17g distances %.17g same %d axis %.17g\n", rounds, inertia, sum, same, axis);
    return 0;
}
