#include "npq/prove/persistence.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "npq/memory/factory.h"
#include "npq/ops/stream.h"
#include "npq/prove/numbers.h"

namespace npq::prove {
namespace {

using memory::Memory;
using memory::MemoryState;

constexpr std::int64_t kNodes = 8, kWidth = 16, kMessage = 8;
constexpr double kAsking = 64;  // attention logits of the element that is asked for

/// A schedule for the oracle, which no other memory reads: step 0 takes node 0 and changes the key
/// of node 1; every later step takes node 1 and changes nothing.
memory::MemoryBatch batch_of(std::int64_t samples, std::int64_t nodes, std::int64_t steps) {
  auto order = at::full({samples, steps}, 1, at::kLong);
  order.select(1, 0).fill_(0);
  auto children = at::zeros({samples, nodes, nodes}, at::kDouble);
  children.select(1, 0).select(1, 1).fill_(1);
  return {.batch = samples,
          .nodes = nodes,
          .steps = steps,
          .dtype = at::kDouble,
          .schedule_order = order,
          .schedule_children = children};
}

ops::ParameterStore without_pops(const ops::ParameterStore& weights) {
  return changed(weights, [](const std::string& name, const at::Tensor& value) {
    if (name.ends_with("pop.w")) return at::zeros_like(value);
    if (name.ends_with("pop.b")) return at::full_like(value, -1000);  // a sigmoid of exactly 0
    return at::Tensor();
  });
}

/// A queue's attention that asks for the element of the first slot by its content: logits grow with
/// the product with its value, and the heads agree.
ops::ParameterStore asking_for_the_first(const ops::ParameterStore& weights,
                                         const MemoryState& state) {
  const auto v = state.tensor("v").detach().select(0, 0).select(0, 0);  // [F]
  return changed(weights, [&](const std::string& name, const at::Tensor& value) {
    if (name == "memory/a2.w")
      return (v * kAsking / v.square().sum()).unsqueeze(1).expand_as(value).contiguous();
    if (name == "memory/a.w") return at::full_like(value, kAsking);
    if (name.starts_with("memory/a1.") || name == "memory/a2.b") return at::zeros_like(value);
    return at::Tensor();
  });
}

/// The numbers of the state that the first write set, [B, M]; `places` says where they are.
class FirstWrite {
 public:
  FirstWrite(const MemoryState& before, const MemoryState& after) {
    for (const auto& [name, tensor] : after.tensors) {
      if (!tensor.is_floating_point()) continue;
      places_.emplace_back(name,
                           tensor.ne(before.tensor(name)).any(0).flatten().nonzero().select(1, 0));
    }
  }
  at::Tensor numbers(const MemoryState& state) const {
    std::vector<at::Tensor> parts;
    for (const auto& [name, places] : places_)
      parts.push_back(state.tensor(name).detach().flatten(1).index_select(1, places));
    return at::cat(parts, 1);
  }

 private:
  std::vector<std::pair<std::string, at::Tensor>> places_;
};

/// How long to wait: 1, 2, 4, ..., longest.
std::vector<std::int64_t> waits(std::int64_t longest) {
  std::vector<std::int64_t> all;
  for (std::int64_t steps = 1; steps <= longest; steps *= 2) all.push_back(steps);
  return all;
}

bool is_wait(std::int64_t step) { return (step & (step - 1)) == 0; }

/// R^2 of a ridge regression from `seen` to `wanted` [2 * writes, ...], fitted on the first half
/// and tested on the second; the best of several strengths, and not below 0.
double recovered_share(const at::Tensor& seen, const at::Tensor& wanted) {
  const std::int64_t half = seen.size(0) / 2;
  const auto centre = [&](const at::Tensor& x) { return x - x.narrow(0, 0, half).mean(0); };
  const auto x = centre(seen), y = centre(wanted);
  const auto fit = x.narrow(0, 0, half), test = x.narrow(0, half, half);
  const auto kernel = fit.matmul(fit.t());  // [writes, writes]: as good as the features', any width
  const auto from_fit = test.matmul(fit.t()), truth = y.narrow(0, half, half);
  const double spread = truth.square().sum().item<double>();
  double best = 0;
  for (const double ridge : {1e-9, 1e-6, 1e-3, 1.0}) {
    const auto scale = kernel.diagonal().mean() * ridge + 1e-300;
    const auto solved =
        at::linalg_solve(kernel + at::eye(half, at::kDouble) * scale, y.narrow(0, 0, half));
    const auto error = truth - from_fit.matmul(solved);
    best = std::max(best, 1 - error.square().sum().item<double>() / spread);
  }
  return best;
}

struct Trial {
  std::vector<double> moved, gradient, ordinary;  // per wait; gradients are squared norms
};

/// One graph: how far the written numbers move, and how a read depends on the first input.
Trial one_graph(const std::string& name, std::int64_t longest, std::uint64_t seed) {
  const auto memory = memory::make_memory(memory::memory_options(name), kWidth, kMessage);
  const auto weights = ordinary_weights(memory->parameter_specs(), seed);
  const auto waiting = without_pops(weights);
  const auto inputs =
      normal_numbers({longest + 1, 1, kNodes, kWidth}, ops::derive_seed(seed, "inputs"));
  const auto question = normal_numbers({1, kNodes, kWidth}, ops::derive_seed(seed, "question"));
  const auto direction = normal_numbers({1, kNodes, kMessage}, ops::derive_seed(seed, "direction"));

  const auto written = inputs[0].clone().set_requires_grad(true);
  const auto start = memory->initial_state(batch_of(1, kNodes, longest + 2));
  auto state = memory->step(waiting, written, start).next_state;
  const FirstWrite first(start, state);
  const auto before = first.numbers(state);
  const auto asking = is_queue(name) ? asking_for_the_first(weights, state) : weights;

  // For a random direction u, |J^T u|^2 is |J|^2 on average: one backward pass instead of one per
  // number that was read.
  const auto squared_norm = [&](const ops::ParameterStore& reader) {
    const auto read = memory->step(reader, question, state).messages;
    if (!read.requires_grad()) return 0.0;
    const at::Tensor leaves[] = {written};
    read.backward(direction, /*retain_graph=*/true, /*create_graph=*/false, leaves);
    const double norm = written.grad().square().sum().item<double>();
    written.mutable_grad().reset();
    return norm;
  };
  Trial trial;
  for (std::int64_t step = 1; step <= longest; ++step) {
    if (is_wait(step)) {
      trial.gradient.push_back(squared_norm(asking));
      trial.ordinary.push_back(is_queue(name) ? squared_norm(weights) : trial.gradient.back());
    }
    state = memory->step(waiting, inputs[step], state).next_state;
    if (is_wait(step))
      trial.moved.push_back((first.numbers(state) - before).abs().max().item<double>());
  }
  return trial;
}

/// Many graphs of two nodes: how well the first write can be told after each wait.
std::vector<double> recovered_shares(const std::string& name, const PersistenceSizes& sizes) {
  constexpr std::int64_t nodes = 2, width = 8;  // small: there are many of them
  const std::int64_t samples = 2 * sizes.writes;
  const auto memory = memory::make_memory(memory::memory_options(name), width, kMessage);
  const auto weights = without_pops(ordinary_weights(memory->parameter_specs(), 1));
  const auto input = [&](std::int64_t step) {
    return normal_numbers({samples, nodes, width},
                          ops::derive_seed(2, "inputs", static_cast<std::uint64_t>(step)));
  };
  const auto start = memory->initial_state(batch_of(samples, nodes, sizes.longest + 2));
  auto state = memory->step(weights, input(0), start).next_state;
  const FirstWrite first(start, state);
  const auto wanted = first.numbers(state);
  std::vector<double> shares;
  for (std::int64_t step = 1; step <= sizes.longest; ++step) {
    state = memory->step(weights, input(step), state).next_state;
    if (is_wait(step)) shares.push_back(recovered_share(first.numbers(state), wanted));
  }
  return shares;
}

}  // namespace

bool PersistenceRow::holds() const {
  return std::all_of(points.begin(), points.end(), [](const PersistencePoint& point) {
    return point.moved == 0 && point.gradient >= 0.5;
  });
}

PersistenceRow persistence_of(const std::string& name, const PersistenceSizes& sizes) {
  PersistenceRow row{name, {}};
  for (const auto steps : waits(sizes.longest)) row.points.push_back({.steps = steps});
  if (!memory::has_state(memory::find_row(name).kind)) return row;  // nothing is ever written
  for (std::int64_t k = 0; k < sizes.trials; ++k) {
    const auto trial = one_graph(name, sizes.longest, static_cast<std::uint64_t>(k + 1));
    for (std::size_t i = 0; i < row.points.size(); ++i) {
      row.points[i].moved = std::max(row.points[i].moved, trial.moved[i]);
      row.points[i].gradient += trial.gradient[i];
      row.points[i].ordinary_gradient += trial.ordinary[i];
    }
  }
  const double first = row.points[0].gradient, ordinary = row.points[0].ordinary_gradient;
  bool anything_moved = false;
  for (auto& point : row.points) {
    point.gradient = std::sqrt(point.gradient / first);
    point.ordinary_gradient = std::sqrt(point.ordinary_gradient / ordinary);
    anything_moved = anything_moved || point.moved != 0;
  }
  const auto shares =
      anything_moved ? recovered_shares(name, sizes) : std::vector<double>(row.points.size(), 1.0);
  for (std::size_t i = 0; i < row.points.size(); ++i) row.points[i].recovered = shares[i];
  return row;
}

std::vector<PersistenceRow> prove_persistence(const std::vector<std::string>& memories, int threads,
                                              const ProofProgress& progress) {
  std::vector<PersistenceRow> rows(memories.size());
  side_by_side(
      threads, memories.size(), [&](std::size_t i) { rows[i] = persistence_of(memories[i]); },
      [&](std::size_t i) { return memories[i]; }, progress);
  return rows;
}

}  // namespace npq::prove
