#include "npq/clrs/algorithms/graphs/dijkstra_schedule.h"

#include "npq/clrs/algorithms/graphs/extract_min.h"

namespace npq::clrs {

OracleSchedule oracle_schedule(const EdgeScalars& A, int s) {
  const int n = A.nodes();
  OracleSchedule schedule{std::vector<int>(n, -1), EdgeMask(n)};
  Scalars d(n);
  Mask mark(n), in_queue(n);
  in_queue[s] = 1;
  // The loop of dijkstra.cpp, line for line: the two must agree in every tie.
  for (int k = 0; const auto u = extract_min(d, in_queue); ++k) {
    schedule.order[k] = *u;
    mark[*u] = 1;
    for (int v = 0; v < n; ++v) {
      if (A(*u, v) == 0 || mark[v]) continue;
      const double through_u = d[*u] + A(*u, v);
      if (!in_queue[v] || through_u < d[v]) {
        d[v] = through_u;
        in_queue[v] = 1;
        schedule.children(*u, v) = 1;
      }
    }
  }
  return schedule;
}

}  // namespace npq::clrs
