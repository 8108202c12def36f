// The fused strip beside the composed one, which is the specification: npq/memory.
#include "npq/ops/strip_op.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>

#include "npq/kernels/calls.h"
#include "npq/memory/rivals/linear_structure.h"
#include "tests/support/error_text.h"
#include "tests/support/torch_compare.h"

namespace npq::ops {
namespace {

using test::compare;
using test::normal;

constexpr std::int64_t R = 6, S = 5, F = 9;

/// v, s, the weights of two reads, the values of two pushes, their strengths.
std::vector<at::Tensor> some_inputs() {
  return {normal({R, S, F}, 1, 1), normal({R, S}, 1, 2), normal({R, S}, 1, 3),
          normal({R, S}, 1, 4),    normal({R, F}, 1, 5), normal({R, F}, 1, 6),
          normal({R, 1}, 1, 7),    normal({R, 1}, 1, 8)};
}

/// What later steps see of a step: the reads, the slots, or both.
enum class Seen { Read, Strip, Both };

test::Operation step(std::vector<std::int64_t> slots, Seen seen) {
  return [=](const std::vector<at::Tensor>& in) {
    std::vector<memory::Push> pushes;
    for (std::size_t w = 0; w < slots.size(); ++w)
      pushes.push_back({slots[w], in[4 + w], in[6 + w]});
    const auto [read, strip] = memory::read_and_push({in[0], in[1]}, {in[2], in[3]}, pushes);
    if (seen == Seen::Read) return read.flatten();
    const auto held = at::cat({strip.v.flatten(), strip.s.flatten()});
    return seen == Seen::Strip ? held : at::cat({read.flatten(), held});
  };
}

TEST(FusedStrip, EqualsTheComposedStripInReadsSlotsAndGradients) {
  const auto before = kernels::calls(kernels::Kernel::StripBackward);
  for (const auto& slots : {std::vector<std::int64_t>{3}, {0, 4}, {2, 2}}) {
    for (const auto seen : {Seen::Read, Seen::Strip, Seen::Both}) {
      const auto distances = compare(step(slots, seen), step(slots, seen), some_inputs());
      EXPECT_LT(distances.result, 1e-6) << "slot " << slots[0];            // sums of S = 5 terms
      EXPECT_LT(distances.worst_gradient(), 1e-6) << "slot " << slots[0];  // of F = 9
    }
  }
  EXPECT_EQ(kernels::calls(kernels::Kernel::StripBackward), before + 9);  // double is composed
}

TEST(FusedStrip, RefusesASlotThatTheStripDoesNotHave) {
  const StripArguments arguments{
      at::zeros({2, 3, 4}), at::zeros({2, 1, 3}), at::zeros({2, 1, 4}), {3}};
  EXPECT_EQ(test::error_text([&] { fused_strip(arguments); }),
            "fused_strip: slot 3 is none of the strip's; expected 0 to 2");
}

}  // namespace
}  // namespace npq::ops
