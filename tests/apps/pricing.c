// Prices of options: the closed formula over a portfolio, binomial trees, and Monte Carlo paths with an average.
// Arguments: options, paths. In tests: 40 20
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STEPS 64

typedef struct {
    double spot, strike, rate, volatility, years;
    int call;
} Option;

static unsigned long long lcg = 42;

static double uniform(void) {
    lcg = lcg * 6364136223846793005ull + 1442695040888963407ull;
    return ((lcg >> 11) + 0.5) * 0x1p-53;
}

/* Cumulative normal distribution, a rational approximation. */
static double cnd(double x) {
    double l = fabs(x);
    double k = 1.0 / (1.0 + 0.2316419 * l);
    double poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double w = 1.0 - 0.39894228040143267794 * exp(-0.5 * l * l) * poly;
    return x < 0.0 ? 1.0 - w : w;
}

static double black_scholes(const Option *o) {
    double root = o->volatility * sqrt(o->years);
    double d1 = (log(o->spot / o->strike) + (o->rate + 0.5 * o->volatility * o->volatility) * o->years) / root;
    double d2 = d1 - root;
    double discounted = o->strike * exp(-o->rate * o->years);
    if (o->call)
        return o->spot * cnd(d1) - discounted * cnd(d2);
    return discounted * cnd(-d2) - o->spot * cnd(-d1);
}

static void price_portfolio(const Option *options, double *prices, int n) {
    for (int i = 0; i < n; i++)
        prices[i] = black_scholes(&options[i]);
}

/* American option on a recombining tree of STEPS levels. */
static double binomial(const Option *o) {
    double value[STEPS + 1];
    double dt = o->years / STEPS;
    double up = exp(o->volatility * sqrt(dt)), down = 1.0 / up;
    double growth = exp(o->rate * dt);
    double p = (growth - down) / (up - down);
    double sign = o->call ? 1.0 : -1.0;
    double price = o->spot * pow(down, STEPS);
    for (int i = 0; i <= STEPS; i++) {
        double gain = sign * (price - o->strike);
        value[i] = gain > 0.0 ? gain : 0.0;
        price *= up * up;
    }
    for (int level = STEPS - 1; level >= 0; level--) {
        double spot = o->spot * pow(down, level);
        for (int i = 0; i <= level; i++) {
            double hold = (p * value[i + 1] + (1.0 - p) * value[i]) / growth;
            double exercise = sign * (spot - o->strike);
            value[i] = hold > exercise ? hold : exercise;
            spot *= up * up;
        }
    }
    return value[0];
}

static void normals(double *z, int n) {
    for (int i = 0; i + 1 < n; i += 2) {
        double r = sqrt(-2.0 * log(uniform())), a = 2.0 * 3.14159265358979323846 * uniform();
        z[i] = r * cos(a);
        z[i + 1] = r * sin(a);
    }
}

/* Paths of one asset: path[t * paths + k]. */
static void simulate(const Option *o, const double *z, double *path, int paths) {
    double dt = o->years / STEPS;
    double drift = (o->rate - 0.5 * o->volatility * o->volatility) * dt;
    double spread = o->volatility * sqrt(dt);
    for (int k = 0; k < paths; k++)
        path[k] = o->spot;
    for (int t = 1; t <= STEPS; t++)
        for (int k = 0; k < paths; k++)
            path[t * paths + k] = path[(t - 1) * paths + k] * exp(drift + spread * z[(t - 1) * paths + k]);
}

static double asian(const Option *o, const double *path, int paths) {
    double sum = 0.0;
    for (int k = 0; k < paths; k++) {
        double mean = 0.0, most = 0.0;
        for (int t = 1; t <= STEPS; t++) {
            double s = path[t * paths + k];
            mean += s;
            if (s > most)
                most = s;
        }
        double gain = (o->call ? 1.0 : -1.0) * (mean / STEPS - o->strike);
        if (gain > 0.0 && most < 3.0 * o->strike)
            sum += gain;
    }
    return sum / paths * exp(-o->rate * o->years);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    int paths = argc > 2 ? atoi(argv[2]) : 20000;
    Option *options = malloc(n * sizeof(Option));
    double *prices = malloc(n * sizeof(double));
    double *z = malloc(sizeof(double) * STEPS * paths), *path = malloc(sizeof(double) * (STEPS + 1) * paths);
    for (int i = 0; i < n; i++) {
        Option *o = &options[i];
        o->spot = 60.0 + 80.0 * uniform();
        o->strike = 60.0 + 80.0 * uniform();
        o->rate = 0.01 + 0.05 * uniform();
        o->volatility = 0.1 + 0.4 * uniform();
        o->years = 0.2 + 2.0 * uniform();
        o->call = i % 2;
    }
    double closed = 0.0, tree = 0.0, monte = 0.0;
    for (int round = 0; round < 10; round++) {
        price_portfolio(options, prices, n);
        for (int i = 0; i < n; i++) {
            closed += prices[i];
            options[i].spot *= 1.001;
        }
    }
    for (int i = 0; i < n; i++)
        tree += binomial(&options[i]);
    for (int i = 0; i < 4; i++) {
        normals(z, STEPS * paths);
        simulate(&options[i], z, path, paths);
        monte += asian(&options[i], path, paths);
    }
    printf("closed %.17g tree %.17g paths %.17g\n", closed, tree, monte);
    free(options);
    free(prices);
    free(z);
    free(path);
    return 0;
}
