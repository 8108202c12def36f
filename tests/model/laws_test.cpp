#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>

#include <memory>

#include "npq/memory/catalog.h"
#include "npq/model/evaluation.h"
#include "npq/model/losses.h"
#include "npq/model/model.h"
#include "npq/nn/decoders/sinkhorn.h"
#include "tests/support/torch_batches.h"
#include "tests/support/torch_golden.h"
#include "tests/support/torch_gradient.h"

// What must hold of every network, whatever its numbers are.
namespace npq::test {
namespace {

constexpr double kRounding =
    1e-11;  // sums of a few hundred terms of size 1 in another order, carried over five steps

/// Everything but the edge mask that is fed back: its sigmoid would connect all nodes (it has its
/// own test), and no processor could then be seen to respect the adjacency.
clrs::Spec spec_of_laws() {
  auto spec = spec_of_everything();
  std::erase_if(spec, [](const clrs::Probe& probe) { return probe.name == "edge_mark"; });
  return spec;
}

/// Biases begin at zero, where relu has its kink: features that are zero would sit exactly on it.
ops::ParameterSpecs with_noisy_biases(ops::ParameterSpecs specs) {
  for (auto& spec : specs) {
    if (spec.name.ends_with(".b")) {
      spec.init = ops::ParameterSpec::Init::TruncatedNormal;
      spec.value = 0.2;
    }
  }
  return specs;
}

struct Network {
  clrs::Spec spec = spec_of_laws();
  ops::ParameterStore store;
  std::unique_ptr<model::Model> model;

  explicit Network(model::ModelOptions options, std::uint64_t seed = 1) {
    options.hidden = 6;
    store = ops::initialise(with_noisy_biases(model::Model::parameters(spec, options)), seed,
                            at::kDouble);
    model = std::make_unique<model::Model>(spec, options, store);
  }
  at::Tensor loss(const model::TensorBatch& batch, const model::UnrollOptions& options = {}) const {
    return model::losses(spec, model->unroll(batch, options), batch).total;
  }
};

model::ModelOptions with_processor(std::string_view name) {
  model::ModelOptions options;
  options.processor.name = name;
  options.processor.heads = 2;
  return options;
}

class EveryProcessor : public ::testing::TestWithParam<std::string_view> {};

INSTANTIATE_TEST_SUITE_P(Laws, EveryProcessor, ::testing::ValuesIn(nn::processor_names()),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EveryProcessor, PermutingNodesPermutesPredictions) {
  const Network network(with_processor(GetParam()));
  const auto batch = random_batch(network.spec, 5, {3, 5}, 7);
  const std::vector<std::int64_t> order{2, 0, 4, 1, 3};
  const model::UnrollOptions evaluate{.mode = model::UnrollOptions::Mode::Evaluate};
  const auto plain = network.model->unroll(batch, evaluate);
  const auto permuted =
      network.model->unroll(with_nodes_permuted(network.spec, batch, order), evaluate);
  for (const auto& probe : network.spec) {
    if (probe.stage == clrs::Stage::Output) {
      EXPECT_LE(relative_difference(permuted.outputs.at(probe.name),
                                    logits_permuted(probe, plain.outputs.at(probe.name), order)),
                kRounding)
          << probe.name;
    } else if (probe.stage == clrs::Stage::Hint) {
      const auto last = plain.hints.at(probe.name).select(0, 3);
      EXPECT_LE(relative_difference(permuted.hints.at(probe.name).select(0, 3),
                                    logits_permuted(probe, last, order)),
                kRounding)
          << probe.name;
    }
  }
}

TEST_P(EveryProcessor, GradientsAgreeWithFiniteDifferences) {
  const Network network(with_processor(GetParam()));
  const auto batch = random_batch(network.spec, 5, {3, 4}, 8);
  // Permutation noise is drawn from the same seed in every call.
  EXPECT_LE(gradient_error(
                network.store, [&] { return network.loss(batch, {.seed = 5}); }, 9),
            1e-6);
}

TEST_P(EveryProcessor, ABatchEqualsItsSamplesOneByOne) {
  const Network network(with_processor(GetParam()));
  const auto batch = random_batch(network.spec, 4, {3, 5, 1}, 10);
  const auto together = model::evaluate(*network.model, batch);
  for (std::int64_t b = 0; b < batch.size(); ++b) {
    const auto alone = model::evaluate(*network.model, batch.narrow(b, 1));
    for (const auto& [name, logits] : together.raw) {
      EXPECT_LE(relative_difference(alone.raw.at(name), logits.narrow(0, b, 1)), kRounding)
          << name << " of sample " << b;
    }
  }
}

TEST(Laws, StepsAfterTheLongestSamplesEndChangeNothing) {
  const Network network(with_processor("triplet_gpgn_mask"));
  const auto batch = random_batch(network.spec, 4, {3, 5, 1}, 11);
  auto padded = batch;
  for (auto& [name, hint] : padded.hints) {
    std::vector<std::int64_t> more(2 * hint.dim(), 0);
    more.back() = 2;  // before and after each axis, the last axis first
    hint = at::constant_pad_nd(hint, more);
  }
  const model::UnrollOptions longer{.mode = model::UnrollOptions::Mode::Evaluate, .steps = 6};
  const model::UnrollOptions plain{.mode = model::UnrollOptions::Mode::Evaluate};
  EXPECT_DOUBLE_EQ(network.loss(padded, longer).item<double>(),
                   network.loss(batch, plain).item<double>());
}

TEST(Laws, ASampleDoesNotSeeHowLongOthersTake) {
  const Network network(with_processor("mpnn"));
  const auto batch = random_batch(network.spec, 4, {3, 5}, 12);
  const auto alone = model::evaluate(*network.model, batch.narrow(0, 1));  // runs 2 steps
  const auto beside = model::evaluate(*network.model, batch);              // runs 4
  EXPECT_LE(relative_difference(beside.raw.at("pi").narrow(0, 0, 1), alone.raw.at("pi")),
            kRounding);
}

TEST(Laws, WithAMemoryTooASampleThatLeavesTheBatchTakesNothingWithIt) {
  model::ModelOptions options;
  options.hidden = 6;
  const auto memory = memory::memory_options("npq_w");
  const auto spec = spec_of_laws();
  const auto store = ops::initialise(
      with_noisy_biases(model::Model::parameters(spec, options, memory)), 1, at::kDouble);
  const model::Model model(spec, options, memory, store);
  const auto batch = random_batch(spec, 4, {3, 6, 1, 5}, 15);
  const auto leaving = model::evaluate(model, batch).raw;
  const auto staying =
      model.unroll(batch, {.mode = model::UnrollOptions::Mode::Evaluate, .keep_hints = true});
  for (const auto& [name, logits] : leaving)
    EXPECT_LE(relative_difference(logits, staying.outputs.at(name)), kRounding) << name;
}

TEST(Laws, ProcessorsThatRespectTheAdjacencyDifferFromThoseThatDoNot) {
  // The laws above would prove little of masks if random graphs of five nodes were complete.
  const Network full(with_processor("mpnn")), given(with_processor("pgn")),
      masked(with_processor("pgn_mask"));
  const auto batch = random_batch(full.spec, 5, {3, 5}, 7);
  EXPECT_NE(full.loss(batch).item<double>(), given.loss(batch).item<double>());
  EXPECT_NE(given.loss(batch).item<double>(), masked.loss(batch).item<double>());
}

TEST(Laws, PermutationOutputsHaveColumnsThatSumToOneAndNoFixedPoints) {
  const Network network(with_processor("mpnn"));
  const auto batch = random_batch(network.spec, 5, {3, 4}, 13);
  const auto matrix = network.model->unroll(batch).outputs.at("order").exp();  // [B, N, N]
  // Columns are normalised last; ten rounds need not bring the rows all the way (decoders_test
  // does).
  EXPECT_LE(relative_difference(matrix.sum(-2), at::ones({2, 5}, at::kDouble)), 1e-12);
  EXPECT_LE(matrix.diagonal(0, 1, 2).max().item<double>(), 1e-12);
}

TEST(Laws, TheSameSeedGivesTheSameTrainingPassAndAnotherSeedAnother) {
  auto options = with_processor("mpnn");
  options.dropout = 0.3;
  options.teacher_forcing = 0.5;
  const Network network(options);
  const auto batch = random_batch(network.spec, 4, {4, 4}, 14);
  const double once = network.loss(batch, {.seed = 1}).item<double>();
  EXPECT_EQ(network.loss(batch, {.seed = 1}).item<double>(), once);
  EXPECT_NE(network.loss(batch, {.seed = 2}).item<double>(), once);
}

}  // namespace
}  // namespace npq::test
