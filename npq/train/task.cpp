#include "npq/train/task.h"

#include <ATen/ops/empty.h>

#include <utility>

#include "npq/base/error.h"
#include "npq/clrs/algorithms/graphs/dijkstra_schedule.h"
#include "npq/clrs/dataset/transforms.h"
#include "npq/memory/catalog.h"

namespace npq::train {
namespace {

clrs::Spec learned_spec(const clrs::Algorithm& algorithm, bool enforce) {
  const auto spec = clrs::pred_as_input(algorithm.spec());
  return enforce ? clrs::enforce_permutations(spec) : clrs::relax_permutations(spec);
}

}  // namespace

Task::Task(const TrainOptions& options)
    : algorithm_(&clrs::find_algorithm(options.algorithm)),
      spec_(learned_spec(*algorithm_, options.model.enforce_permutations)),
      enforce_permutations_(options.model.enforce_permutations),
      with_schedule_(memory::find_row(options.memory.name).kind == memory::Kind::Oracle) {}

model::TensorBatch Task::batch(std::span<const clrs::Sample* const> samples, Hints hints) const {
  int longest = 1;
  if (hints == Hints::All)
    for (const auto* sample : samples) longest = std::max(longest, sample->length());
  return batch(clrs::make_batch(samples, longest));
}

model::TensorBatch Task::batch(clrs::Batch batch) const {
  clrs::pred_as_input(batch);
  enforce_permutations_ ? clrs::enforce_permutations(batch) : clrs::relax_permutations(batch);
  auto tensors = model::to_tensors(batch, at::kFloat);
  if (with_schedule_) add_schedule(tensors, batch);
  return tensors;
}

/// The oracle's inputs, which are not encoded: us_valid [B,N], the node taken at each step or -1,
/// and us_pi [B,N,N], whose keys that step changes.
void Task::add_schedule(model::TensorBatch& tensors, const clrs::Batch& batch) const {
  const auto& A = batch.input("A");
  const auto& s = batch.input("s");
  const auto size = batch.size();
  const auto nodes = static_cast<int>(A.shape[1]);
  auto order = at::empty({size, nodes}, at::kFloat),
       children = at::empty({size, nodes, nodes}, at::kFloat);
  for (std::int64_t b = 0; b < size; ++b) {
    clrs::EdgeScalars weights(nodes);
    std::copy_n(A.values.begin() + b * nodes * nodes, nodes * nodes, weights.values().begin());
    const auto* mark = s.values.data() + b * nodes;
    const auto source = static_cast<int>(std::max_element(mark, mark + nodes) - mark);
    const auto schedule = clrs::oracle_schedule(weights, source);
    std::copy(schedule.order.begin(), schedule.order.end(), order.data_ptr<float>() + b * nodes);
    std::copy(schedule.children.values().begin(), schedule.children.values().end(),
              children.data_ptr<float>() + b * nodes * nodes);
  }
  tensors.inputs["us_valid"] = order;
  tensors.inputs["us_pi"] = children;
}

clrs::GenerateOptions Task::validation_set(int length) const {
  auto options = clrs::official_split(*algorithm_, clrs::Split::Val);
  options.length = length;
  return options;
}

clrs::GenerateOptions Task::test_set(int length) const {
  auto options = clrs::official_split(*algorithm_, clrs::Split::Test);
  options.length = length;
  return options;
}

}  // namespace npq::train
