// Lagrangian hydrodynamics on a mesh of quadrilaterals with node lists: forces to the nodes, motion, artificial viscosity, energy.
// Arguments: elements per side, steps. In tests: 8 4
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef double Real_t;
typedef int Index_t;

class Domain {
public:
    explicit Domain(Index_t side);

    Real_t &x(Index_t i) { return m_x[i]; }
    Real_t &y(Index_t i) { return m_y[i]; }
    Real_t &xd(Index_t i) { return m_xd[i]; }
    Real_t &yd(Index_t i) { return m_yd[i]; }
    Real_t &fx(Index_t i) { return m_fx[i]; }
    Real_t &fy(Index_t i) { return m_fy[i]; }
    Real_t &nodalMass(Index_t i) { return m_nodalMass[i]; }
    Real_t &e(Index_t i) { return m_e[i]; }
    Real_t &p(Index_t i) { return m_p[i]; }
    Real_t &q(Index_t i) { return m_q[i]; }
    Real_t &v(Index_t i) { return m_v[i]; }
    Real_t &volo(Index_t i) { return m_volo[i]; }
    Real_t &delv(Index_t i) { return m_delv[i]; }
    Real_t &ss(Index_t i) { return m_ss[i]; }
    Real_t &elemMass(Index_t i) { return m_elemMass[i]; }
    Index_t *nodelist(Index_t i) { return &m_nodelist[4 * i]; }
    Index_t numElem() const { return m_numElem; }
    Index_t numNode() const { return m_numNode; }
    Index_t side() const { return m_side; }

private:
    Index_t m_side, m_numElem, m_numNode;
    std::vector<Real_t> m_x, m_y, m_xd, m_yd, m_fx, m_fy, m_nodalMass;
    std::vector<Real_t> m_e, m_p, m_q, m_v, m_volo, m_delv, m_ss, m_elemMass;
    std::vector<Index_t> m_nodelist;
};

static Real_t area(const Real_t x[4], const Real_t y[4]) {
    return 0.5 * ((x[2] - x[0]) * (y[3] - y[1]) - (x[3] - x[1]) * (y[2] - y[0]));
}

static void collectElem(Domain &d, Index_t k, Real_t x[4], Real_t y[4]) {
    const Index_t *nodes = d.nodelist(k);
    for (Index_t c = 0; c < 4; ++c) {
        x[c] = d.x(nodes[c]);
        y[c] = d.y(nodes[c]);
    }
}

Domain::Domain(Index_t side)
    : m_side(side), m_numElem(side * side), m_numNode((side + 1) * (side + 1)), m_x(m_numNode), m_y(m_numNode),
      m_xd(m_numNode), m_yd(m_numNode), m_fx(m_numNode), m_fy(m_numNode), m_nodalMass(m_numNode), m_e(m_numElem),
      m_p(m_numElem), m_q(m_numElem), m_v(m_numElem, 1.0), m_volo(m_numElem), m_delv(m_numElem), m_ss(m_numElem),
      m_elemMass(m_numElem), m_nodelist(4 * m_numElem) {
    for (Index_t row = 0; row <= side; ++row) {
        for (Index_t col = 0; col <= side; ++col) {
            m_x[row * (side + 1) + col] = 1.125 * col / side;
            m_y[row * (side + 1) + col] = 1.125 * row / side;
        }
    }
    for (Index_t row = 0; row < side; ++row) {
        for (Index_t col = 0; col < side; ++col) {
            Index_t *nodes = nodelist(row * side + col), first = row * (side + 1) + col;
            nodes[0] = first;
            nodes[1] = first + 1;
            nodes[2] = first + side + 2;
            nodes[3] = first + side + 1;
        }
    }
    for (Index_t k = 0; k < m_numElem; ++k) {
        Real_t xl[4], yl[4];
        collectElem(*this, k, xl, yl);
        m_volo[k] = m_elemMass[k] = area(xl, yl);
        m_e[k] = 1.0e-3;
        for (Index_t c = 0; c < 4; ++c)
            m_nodalMass[nodelist(k)[c]] += 0.25 * m_elemMass[k];
    }
    m_e[0] = 0.2 * side * side;
}

static void calcPressure(Domain &d) {
    for (Index_t k = 0; k < d.numElem(); ++k) {
        Real_t rho = 1.0 / d.v(k);
        d.p(k) = (2.0 / 3.0) * rho * d.e(k);
        if (d.p(k) < 1.0e-9)
            d.p(k) = 0.0;
        d.ss(k) = std::sqrt(5.0 / 3.0 * d.p(k) / rho + 1.0e-12);
    }
}

static void calcForces(Domain &d) {
    for (Index_t i = 0; i < d.numNode(); ++i) {
        d.fx(i) = 0.0;
        d.fy(i) = 0.0;
    }
    for (Index_t k = 0; k < d.numElem(); ++k) {
        Real_t xl[4], yl[4];
        collectElem(d, k, xl, yl);
        Real_t sigma = 0.5 * (d.p(k) + d.q(k));
        const Index_t *nodes = d.nodelist(k);
        for (Index_t c = 0; c < 4; ++c) {
            Index_t before = (c + 3) % 4, after = (c + 1) % 4;
            d.fx(nodes[c]) += sigma * (yl[after] - yl[before]);
            d.fy(nodes[c]) -= sigma * (xl[after] - xl[before]);
        }
    }
}

static void moveNodes(Domain &d, Real_t dt) {
    const Real_t cut = 1.0e-7;
    for (Index_t i = 0; i < d.numNode(); ++i) {
        Real_t xdtmp = d.xd(i) + d.fx(i) / d.nodalMass(i) * dt;
        if (std::fabs(xdtmp) < cut)
            xdtmp = 0.0;
        d.xd(i) = xdtmp;
        Real_t ydtmp = d.yd(i) + d.fy(i) / d.nodalMass(i) * dt;
        if (std::fabs(ydtmp) < cut)
            ydtmp = 0.0;
        d.yd(i) = ydtmp;
    }
    for (Index_t i = 0; i <= d.side(); ++i) {
        d.yd(i) = 0.0;
        d.xd(i * (d.side() + 1)) = 0.0;
    }
    for (Index_t i = 0; i < d.numNode(); ++i) {
        d.x(i) += d.xd(i) * dt;
        d.y(i) += d.yd(i) * dt;
    }
}

static void updateElements(Domain &d, Real_t dt) {
    for (Index_t k = 0; k < d.numElem(); ++k) {
        Real_t xl[4], yl[4];
        collectElem(d, k, xl, yl);
        Real_t relative = area(xl, yl) / d.volo(k);
        d.delv(k) = relative - d.v(k);
        d.v(k) = relative;
        Real_t length = std::sqrt(d.volo(k) * relative);
        Real_t change = d.delv(k) / (relative * dt);
        if (change < 0.0) {
            Real_t jump = -change * length;
            d.q(k) = (2.0 * jump * jump + 0.5 * jump * d.ss(k)) / relative;
        } else {
            d.q(k) = 0.0;
        }
        Real_t e = d.e(k) - (d.p(k) + d.q(k)) * d.delv(k);
        d.e(k) = e < 0.0 ? 0.0 : e;
    }
}

static Real_t timeConstraint(Domain &d, Real_t dt) {
    Real_t least = 1.0e20;
    for (Index_t k = 0; k < d.numElem(); ++k) {
        Real_t length = std::sqrt(d.volo(k) * d.v(k));
        Real_t wave = length / (d.ss(k) + std::sqrt(d.q(k)) + 1.0e-9);
        if (wave < least)
            least = wave;
    }
    Real_t next = 0.25 * least;
    return next > 1.1 * dt ? 1.1 * dt : next;
}

int main(int argc, char **argv) {
    Index_t side = argc > 1 ? std::atoi(argv[1]) : 180;
    int steps = argc > 2 ? std::atoi(argv[2]) : 400;
    Domain d(side);
    Real_t time = 0.0, dt = 1.0e-7;
    for (int s = 0; s < steps; ++s) {
        calcPressure(d);
        calcForces(d);
        moveNodes(d, dt);
        updateElements(d, dt);
        time += dt;
        dt = timeConstraint(d, dt);
    }
    Real_t energy = 0.0, kinetic = 0.0;
    for (Index_t k = 0; k < d.numElem(); ++k)
        energy += d.e(k) * d.elemMass(k);
    for (Index_t i = 0; i < d.numNode(); ++i)
        kinetic += 0.5 * d.nodalMass(i) * (d.xd(i) * d.xd(i) + d.yd(i) * d.yd(i));
    std::printf("time %.17g origin %.17g internal %.17g kinetic %.17g\n", time, d.e(0), energy, kinetic);
    return 0;
}
