#include "npq/prove/reduction.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "npq/base/error.h"
#include "npq/memory/factory.h"
#include "npq/prove/numbers.h"
#include "npq/prove/operations.h"

namespace npq::prove {
namespace {

using Q = memory::PriorityQueueOptions;

constexpr Structure kStructures[] = {Structure::PriorityQueue, Structure::Stack, Structure::Queue};
constexpr std::int64_t kFewSequences = 200, kSequencesPerJob = 250;

// What z_i holds at a step, and what an element holds.
constexpr std::int64_t kPops = 0, kPushes = 1, kKey = 2, kIdentity = 3, kInputs = 4;
constexpr std::int64_t kValueKey = 0, kValueIdentity = 1, kValues = 2;
constexpr double kSaturated = 200;  // a sigmoid of exactly 0 or 1 in float32

memory::MemoryOptions reduced_options(const std::string& name) {
  auto options = memory::memory_options(name);
  options.queue.heads = 1;
  options.width = kValues;
  options.slots = kMostOperations;
  return options;
}

/// The weights of appendix C. Sums over nodes count a bias once per node, means not at all.
ops::ParameterStore reducing_weights(const memory::Memory& memory, const Q& options) {
  ops::ParameterStore weights;
  for (const auto& spec : memory.parameter_specs()) {
    weights.add(spec.name, at::zeros(spec.shape, at::kFloat));
    weights.at(spec.name).set_requires_grad(false);
  }
  const auto set = [&](const std::string& name, std::int64_t row, double value) {
    weights.at(name).select(0, row).select(0, 0).fill_(value);
  };
  const double nodes = kOperationNodes;
  const bool sums = options.push_pool == memory::Pool::Sum;
  const double per_node = sums ? 1 : nodes;  // what one node says, in a sum or in a mean
  const double bias = sums ? -kSaturated / nodes : -kSaturated;
  weights.at("memory/v.w").select(0, kKey).select(0, kValueKey).fill_(per_node);
  weights.at("memory/v.w").select(0, kIdentity).select(0, kValueIdentity).fill_(per_node);
  set("memory/m.w", kValueIdentity, 1);
  set("memory/a2.w", kValueKey, 64);  // keys are 1/64 apart: about one unit from rank to rank
  set("memory/a.w", 0, 8);
  if (options.pop == Q::Pop::Consume) {
    const bool pooled = options.reader == Q::Reader::Graph;
    set("memory/s_pop.w", kPops, 2 * kSaturated * (pooled ? per_node : 1));
    weights.at("memory/s_pop.b").fill_(pooled ? bias : -kSaturated);
    set("memory/s_push.w", kPushes, 2 * kSaturated * per_node);
    weights.at("memory/s_push.b").fill_(bias);
  }
  return weights;
}

/// Sequences side by side: what goes in, and what the standard container answers.
struct Script {
  at::Tensor z;          // [64, B, N, 4]
  at::Tensor received;   // [64, B, N] identities
  at::Tensor contained;  // [64, B, 65] bool, by identity
  std::int64_t operations = 0;
};

Script script_of(Structure structure, std::int64_t first, std::int64_t sequences) {
  Script script{at::zeros({kMostOperations, sequences, kOperationNodes, kInputs}),
                at::zeros({kMostOperations, sequences, kOperationNodes}),
                at::zeros({kMostOperations, sequences, kMostOperations + 1}, at::kBool)};
  auto z = script.z.accessor<float, 4>();
  auto received = script.received.accessor<float, 3>();
  auto contained = script.contained.accessor<bool, 3>();
  for (std::int64_t b = 0; b < sequences; ++b) {
    ops::Stream random(
        ops::derive_seed(1, structure_name(structure), static_cast<std::uint64_t>(first + b)));
    const auto played = play(structure, random);
    const int length = static_cast<int>(played.operations.size());
    script.operations += length;
    int pushed = 0;
    for (int t = 0; t < kMostOperations; ++t) {
      const int last = std::min(t, length - 1);  // after its end a sequence does nothing
      for (int identity = 1; identity <= kMostOperations; ++identity)
        contained[t][b][identity] = played.contained[last][identity];
      if (t >= length) continue;
      const auto& operation = played.operations[t];
      auto node = z[t][b][operation.node];
      if (operation.kind == Operation::Kind::Push) {
        node[kPushes] = 1;
        node[kKey] = static_cast<float>(operation.key) / kMostOperations;
        node[kIdentity] = static_cast<float>(++pushed) / kMostOperations;
      } else if (operation.kind == Operation::Kind::Pop) {
        node[kPops] = 1;
        received[t][b][operation.node] = static_cast<float>(played.received[t]);
      }
    }
  }
  return script;
}

/// The identity that a number of a value or message stands for.
at::Tensor decoded(const at::Tensor& x) {
  return (x.to(at::kDouble).atanh() * kMostOperations).round();
}

/// Which identities are in the queue, [B, 65]; an element twice, or a number that is none, leaves
/// its mark at 0.
at::Tensor contents(const at::Tensor& v, const at::Tensor& alive) {
  const auto identity = decoded(v.select(-1, kValueIdentity));
  const auto valid = alive.logical_and(identity.ge(1)).logical_and(identity.le(kMostOperations));
  const auto index = at::where(valid, identity, at::zeros_like(identity)).to(at::kLong);
  auto counts = at::zeros({v.size(0), kMostOperations + 1}, at::kLong);
  counts.scatter_add_(1, index, alive.to(at::kLong));
  counts.select(1, 0).add_(counts.narrow(1, 1, kMostOperations).gt(1).sum(1));
  return counts.gt(0);
}

}  // namespace

std::string_view structure_name(Structure structure) {
  switch (structure) {
    case Structure::PriorityQueue:
      return "std::priority_queue";
    case Structure::Stack:
      return "std::stack";
    case Structure::Queue:
      break;
  }
  return "std::queue";
}

bool ReductionRow::holds() const {
  return std::all_of(checks.begin(), checks.end(),
                     [](const ReductionCheck& check) { return check.mismatches == 0; });
}

bool reduction_is_claimed(std::string_view memory) { return memory == "npq_m"; }

ReductionCheck reduce_to(Structure structure, const std::string& memory, std::int64_t first,
                         std::int64_t sequences) {
  const auto options = reduced_options(memory);
  const auto queue = memory::make_memory(options, kInputs, /*message_width=*/1);
  const auto weights = reducing_weights(*queue, options.queue);
  const auto script = script_of(structure, first, sequences);
  auto state = queue->initial_state(
      {.batch = sequences, .nodes = kOperationNodes, .steps = kMostOperations});
  auto wrong = at::zeros({sequences}, at::kBool);
  for (std::int64_t t = 0; t < kMostOperations; ++t) {
    const auto step = queue->step(weights, script.z[t], state);
    state = step.next_state;
    const auto received = decoded(step.messages.squeeze(-1));
    wrong.logical_or_(received.ne(script.received[t]).any(1));
    at::Tensor alive = state.tensor("written").ge(0);
    if (state.has("s")) {
      const auto& s = state.tensor("s");
      wrong.logical_or_(s.ne(0).logical_and(s.ne(1)).any(1));
      alive = s.gt(0);
    }
    wrong.logical_or_(contents(state.tensor("v"), alive).ne(script.contained[t]).any(1));
  }
  return {structure, sequences, script.operations, wrong.sum().item<std::int64_t>()};
}

std::vector<ReductionRow> prove_reduction(const std::vector<std::string>& memories,
                                          std::int64_t sequences, int threads,
                                          const ProofProgress& progress) {
  struct Job {
    std::size_t row, check;
    std::int64_t first, count;
    ReductionCheck result;
  };
  std::vector<ReductionRow> rows;
  std::vector<Job> jobs;
  for (const auto& memory : memories) {
    if (!is_queue(memory)) continue;
    const auto count =
        reduction_is_claimed(memory) ? sequences : std::min(sequences, kFewSequences);
    for (std::size_t s = 0; s < std::size(kStructures); ++s)
      for (std::int64_t first = 0; first < count; first += kSequencesPerJob)
        jobs.push_back({rows.size(), s, first, std::min(kSequencesPerJob, count - first), {}});
    rows.push_back({memory, {}});
    for (const auto structure : kStructures) rows.back().checks.push_back({.structure = structure});
  }
  side_by_side(
      threads, jobs.size(),
      [&](std::size_t j) {
        auto& job = jobs[j];
        job.result = reduce_to(kStructures[job.check], rows[job.row].memory, job.first, job.count);
      },
      [&](std::size_t j) { return rows[jobs[j].row].memory; }, progress);
  for (const auto& job : jobs) {
    auto& check = rows[job.row].checks[job.check];
    check.sequences += job.result.sequences;
    check.operations += job.result.operations;
    check.mismatches += job.result.mismatches;
  }
  return rows;
}

}  // namespace npq::prove
