#include "npq/peptides/targets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "npq/base/error.h"

namespace npq::peptides {
namespace {

using Matrix = std::array<Point, 3>;

constexpr double kMassOfCarbon = 12.011;
constexpr double kTiny = 1e-6;  // no weight is 0
constexpr double kAngstromPerNm = 10;

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Point centre(std::span<const Point> points, std::span<const double> weights) {
  Point sum{};
  double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int k = 0; k < 3; ++k) sum[k] += weights[i] * points[i][k];
    total += weights[i];
  }
  for (double& x : sum) x /= total;
  return sum;
}

std::vector<Point> around(std::span<const Point> points, const Point& centre) {
  std::vector<Point> moved(points.begin(), points.end());
  for (auto& point : moved)
    for (int k = 0; k < 3; ++k) point[k] -= centre[k];
  return moved;
}

std::array<double, 3> inertia(std::span<const Point> points, std::span<const double> weights) {
  const auto q = around(points, centre(points, weights));
  Matrix I{};
  for (std::size_t i = 0; i < q.size(); ++i)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        I[a][b] += weights[i] * ((a == b ? dot(q[i], q[i]) : 0) - q[i][a] * q[i][b]);
  return eigen_of(I).values;
}

}  // namespace

Eigen3 eigen_of(Matrix m) {
  // Jacobi's rotations: each sets one entry beside the diagonal to 0; a few sweeps leave none.
  Matrix axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < 60; ++sweep) {
    const double beside = std::abs(m[0][1]) + std::abs(m[0][2]) + std::abs(m[1][2]);
    if (beside <= std::numeric_limits<double>::min()) break;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (m[p][q] == 0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1.0)), theta);
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        const auto rotate = [&](double& x, double& y) {
          const double old = x;
          x = c * old - s * y;
          y = s * old + c * y;
        };
        for (int k = 0; k < 3; ++k) rotate(m[k][p], m[k][q]);
        for (int k = 0; k < 3; ++k) rotate(m[p][k], m[q][k]);
        for (int k = 0; k < 3; ++k) rotate(axes[p][k], axes[q][k]);
        m[p][q] = m[q][p] = 0;
      }
    }
  }
  std::array<int, 3> order = {0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return m[a][a] > m[b][b]; });
  Eigen3 sorted;
  for (int k = 0; k < 3; ++k) {
    sorted.values[k] = m[order[k]][order[k]];
    sorted.vectors[k] = axes[order[k]];
  }
  return sorted;
}

Targets shape_targets(std::span<const Point> positions, std::span<const double> mass,
                      std::span<const int> hydrogens) {
  const auto atoms = positions.size();
  NPQ_ASSERT(atoms >= 2 && mass.size() == atoms && hydrogens.size() == atoms);
  std::vector<Point> p(positions.begin(), positions.end());
  for (auto& point : p)
    for (double& x : point) x /= kAngstromPerNm;
  std::vector<double> masses, valences;
  for (const double m : mass) masses.push_back(m / kMassOfCarbon + kTiny);
  for (const int h : hydrogens) valences.push_back(h + kTiny);

  const auto q = around(p, centre(p, std::vector<double>(atoms, 1.0)));
  Matrix covariance{};
  for (const auto& point : q)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) covariance[a][b] += point[a] * point[b];
  const auto [l, axes] = eigen_of(covariance);

  Targets y{};
  const auto by_mass = inertia(p, masses), by_valence = inertia(p, valences);
  for (int k = 0; k < 3; ++k) {
    y[k] = by_mass[k];
    y[3 + k] = by_valence[k];
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& point : q) {
      low = std::min(low, dot(point, axes[k]));
      high = std::max(high, dot(point, axes[k]));
    }
    y[6 + k] = high - low;
  }
  y[9] = 3 * l[2] / (l[0] + l[1] + l[2]);
  double distance = 0;
  for (const auto& point : q) distance += std::abs(dot(point, axes[2]));
  y[10] = kAngstromPerNm * distance / static_cast<double>(atoms);
  return y;
}

}  // namespace npq::peptides
