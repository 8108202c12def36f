#include "npq/train/scoring/tally.h"

#include <algorithm>

#include "npq/base/error.h"

namespace npq::train {
namespace {

using clrs::Type;

using Row = std::span<const double>;

std::ptrdiff_t argmax(Row row) { return std::max_element(row.begin(), row.end()) - row.begin(); }

/// Rows of `width` are right where their largest entries agree; rows with a -1 do not count.
Tally rows(const Decided& values, std::size_t width) {
  Tally tally;
  for (std::size_t begin = 0; begin < values.truth.size(); begin += width) {
    const auto truth = Row(values.truth).subspan(begin, width);
    if (std::find(truth.begin(), truth.end(), -1) != truth.end()) continue;
    tally.all += 1;
    tally.right += argmax(Row(values.predicted).subspan(begin, width)) == argmax(truth);
  }
  return tally;
}

Tally pointers(const Decided& values) {
  Tally tally{.all = static_cast<double>(values.truth.size())};
  for (std::size_t i = 0; i < values.truth.size(); ++i)
    tally.right += values.predicted[i] == values.truth[i];
  return tally;
}

Tally masks(const Decided& values) {
  Tally tally;
  for (std::size_t i = 0; i < values.truth.size(); ++i) {
    if (values.truth[i] == -1) continue;
    const bool said = values.predicted[i] > 0.5, there = values.truth[i] > 0.5;
    tally.true_positive += said && there;
    tally.false_positive += said && !there;
    tally.false_negative += !said && there;
    tally.all += 1;
  }
  return tally;
}

Tally squared_error(const Decided& values) {
  Tally tally{.all = static_cast<double>(values.truth.size())};
  for (std::size_t i = 0; i < values.truth.size(); ++i) {
    const double difference = values.predicted[i] - values.truth[i];
    tally.right += difference * difference;
  }
  return tally;
}

/// In a permutation matrix the first node points to the last; as a pointer, to itself.
std::vector<double> fused(Row matrix, Row mask, int nodes) {
  std::vector<double> pointer;
  for (int i = 0; i < nodes; ++i) {
    const auto row = matrix.subspan(static_cast<std::size_t>(i) * nodes, nodes);
    pointer.push_back(mask[i] > 0.5 ? i : static_cast<double>(argmax(row)));
  }
  return pointer;
}

void check_sizes(const clrs::Probe& probe, int nodes, const Decided& values) {
  const auto frame = static_cast<std::size_t>(clrs::elements(probe, nodes));
  const bool whole = frame > 0 && values.truth.size() % frame == 0 &&
                     (probe.stage == clrs::Stage::Hint || values.truth.size() == frame);
  if (!whole || values.predicted.size() != values.truth.size())
    throw Error("'{}' has {} predicted and {} true values; expected {} each on {} nodes{}",
                probe.name, values.predicted.size(), values.truth.size(), frame, nodes,
                probe.stage == clrs::Stage::Hint ? " in every step" : "");
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  right += other.right;
  all += other.all;
  true_positive += other.true_positive;
  false_positive += other.false_positive;
  false_negative += other.false_negative;
  return *this;
}

bool is_scored(const clrs::Spec& spec, const clrs::Probe& probe) {
  return std::none_of(spec.begin(), spec.end(), [&](const auto& other) {
    return other.type == Type::PermutationPointer && probe.name == other.name + "_mask";
  });
}

Tally tally(const clrs::Probe& probe, int nodes, const Decided& values, const Decided* mask) {
  check_sizes(probe, nodes, values);
  switch (probe.type) {
    case Type::Pointer:
    case Type::ShouldBePermutation:
      return pointers(values);
    case Type::MaskOne:
      return rows(values, nodes);
    case Type::Categorical:
      return rows(values, probe.classes);
    case Type::Mask:
      return masks(values);
    case Type::Scalar:
      return squared_error(values);
    case Type::PermutationPointer:
      NPQ_ASSERT(mask != nullptr);
      return pointers({fused(values.predicted, mask->predicted, nodes),
                       fused(values.truth, mask->truth, nodes)});
  }
  NPQ_ASSERT(!"every type has a tally");
}

bool is_perfect(const clrs::Probe& probe, const Tally& tally) {
  if (probe.type == Type::Mask) return tally.false_positive + tally.false_negative == 0;
  if (probe.type == Type::Scalar) return tally.right == 0;
  return tally.right == tally.all;
}

double score_of(const clrs::Probe& probe, const Tally& tally) {
  if (probe.type != Type::Mask) return tally.right / tally.all;
  const double said = tally.true_positive + tally.false_positive;
  const double there = tally.true_positive + tally.false_negative;
  const double precision = said > 0 ? tally.true_positive / said : 1;
  const double recall = there > 0 ? tally.true_positive / there : 1;
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

}  // namespace npq::train
