#include "npq/kernels/adam/adam.h"

#include <algorithm>
#include <vector>

#include "npq/kernels/calls.h"
#include "npq/kernels/jobs.h"
#include "npq/kernels/levels.h"

namespace npq::kernels {
namespace {

double squares_reference(const float* gradient, std::int64_t size) {
  double sum = 0;
  for (std::int64_t i = 0; i < size; ++i) sum += static_cast<double>(gradient[i]) * gradient[i];
  return sum;
}

const AdamLoops& active_loops() {
  static constexpr AdamLoops reference = {adam_update_reference, squares_reference};
  const auto* loops = choose_loops(kAdamAvx2, kAdamAvx512);
  return loops ? *loops : reference;
}

/// Large parameters are cut, small ones stay whole.
std::vector<AdamSpan> pieces(const AdamSpan* spans, int count) {
  std::vector<AdamSpan> all;
  for (int k = 0; k < count; ++k) {
    const AdamSpan& span = spans[k];
    for (std::int64_t i = 0; i < span.size; i += kAdamPiece)
      all.push_back({span.value + i, span.gradient ? span.gradient + i : nullptr, span.m + i,
                     span.v + i, std::min(kAdamPiece, span.size - i)});
  }
  return all;
}

}  // namespace

double gradient_squares_with(const AdamLoops& loops, const AdamSpan* spans, int count,
                             int threads) {
  const auto all = pieces(spans, count);
  std::vector<double> sums(all.size());
  run_jobs(threads, static_cast<int>(all.size()), [&](int i) {
    if (all[i].gradient) sums[i] = loops.squares(all[i].gradient, all[i].size);
  });
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

void adam_update_with(const AdamLoops& loops, const AdamSpan* spans, int count,
                      const AdamStep& step, int threads) {
  const auto all = pieces(spans, count);
  run_jobs(threads, static_cast<int>(all.size()), [&](int i) { loops.update(all[i], step); });
}

double gradient_squares(const AdamSpan* spans, int count, int threads) {
  return gradient_squares_with(active_loops(), spans, count, threads);
}

void adam_update(const AdamSpan* spans, int count, const AdamStep& step, int threads) {
  count_call(Kernel::Adam);
  adam_update_with(active_loops(), spans, count, step, threads);
}

}  // namespace npq::kernels
