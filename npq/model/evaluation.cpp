#include "npq/model/evaluation.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/where.h>

#include "npq/base/error.h"
#include "npq/nn/decoders/postprocess.h"
#include "npq/nn/decoders/sinkhorn.h"

namespace npq::model {

using clrs::Stage;
using clrs::Type;

namespace {

double count(const at::Tensor& condition) { return condition.sum().item<double>(); }

/// Rows [.., C] are right where their largest entries agree; rows with a -1 do not count.
std::pair<double, double> row_accuracy(const at::Tensor& hard, const at::Tensor& truth) {
  const auto valid = truth.eq(-1).any(-1).logical_not();
  const auto right = hard.argmax(-1).eq(truth.argmax(-1)).logical_and(valid);
  return {count(right), count(valid)};
}

/// A permutation matrix is a cycle in which the first node points to the last; the mask says which
/// is first, and as a pointer the first node points to itself.
at::Tensor fused_pointer(const at::Tensor& matrix, const at::Tensor& mask) {
  const auto pointer = matrix.argmax(-1);  // [B, N]
  const auto self = at::arange(matrix.size(-1), pointer.options()).expand_as(pointer);
  return at::where(mask.gt(0.5), self, pointer);
}

double f1(double true_positive, double false_positive, double false_negative) {
  const double said = true_positive + false_positive, there = true_positive + false_negative;
  const double precision = said > 0 ? true_positive / said : 1;
  const double recall = there > 0 ? true_positive / there : 1;
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

}  // namespace

Evaluation evaluate(const Model& model, const TensorBatch& batch) {
  const at::NoGradGuard no_grad;
  Evaluation result;
  result.raw =
      model.unroll(batch, {.mode = UnrollOptions::Mode::Evaluate, .keep_hints = false}).outputs;
  for (const auto& probe : model.spec()) {
    if (probe.stage != Stage::Output) continue;
    result.hard[probe.name] =
        nn::hard_value(probe, result.raw.at(probe.name), nn::kSinkhornOutputSteps);
  }
  return result;
}

Scores::Scores(const clrs::Spec& spec) {
  std::map<std::string, bool> absorbed;  // masks that a permutation pointer takes in
  for (const auto& probe : spec) {
    if (probe.type == Type::PermutationPointer) absorbed[probe.name + "_mask"] = true;
  }
  for (const auto& probe : spec) {
    if (probe.stage == Stage::Output && !absorbed.contains(probe.name)) outputs_.push_back(probe);
  }
}

void Scores::add(const nn::TensorMap& hard, const nn::TensorMap& truth) {
  for (const auto& probe : outputs_) {
    auto& tally = tallies_[probe.name];
    auto p = nn::find_value(hard, probe), y = nn::find_value(truth, probe);
    switch (probe.type) {
      case Type::PermutationPointer: {
        const auto mask = probe.name + "_mask";
        p = fused_pointer(p, hard.at(mask));
        y = fused_pointer(y, truth.at(mask));
        [[fallthrough]];
      }
      case Type::Pointer:
        tally.right += count(p.eq(y));
        tally.all += static_cast<double>(y.numel());
        break;
      case Type::MaskOne:
      case Type::Categorical: {
        const auto [right, all] = row_accuracy(p, y);
        tally.right += right;
        tally.all += all;
        break;
      }
      case Type::Mask: {
        const auto said = p.gt(0.5), there = y.gt(0.5), valid = y.ne(-1);
        tally.true_positive += count(said.logical_and(there).logical_and(valid));
        tally.false_positive += count(said.logical_and(there.logical_not()).logical_and(valid));
        tally.false_negative += count(there.logical_and(said.logical_not()).logical_and(valid));
        break;
      }
      case Type::Scalar:
        tally.right += (p - y).square().sum().item<double>();
        tally.all += static_cast<double>(y.numel());
        break;
      case Type::ShouldBePermutation:
        NPQ_ASSERT(!"a should_be_permutation has no decoder");
    }
  }
}

std::map<std::string, double> Scores::by_output() const {
  std::map<std::string, double> scores;
  for (const auto& probe : outputs_) {
    const auto found = tallies_.find(probe.name);
    if (found == tallies_.end()) throw Error("no sample was scored; add at least one batch");
    const auto& tally = found->second;
    scores[probe.name] = probe.type == Type::Mask
                             ? f1(tally.true_positive, tally.false_positive, tally.false_negative)
                             : tally.right / tally.all;
  }
  return scores;
}

double Scores::score() const {
  double sum = 0;
  const auto scores = by_output();
  for (const auto& [name, value] : scores) sum += value;
  return sum / static_cast<double>(scores.size());
}

}  // namespace npq::model
