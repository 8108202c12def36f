#include "npq/nn/processors/processor.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/error_text.h"
#include "tests/support/torch_numbers.h"

// Equations by hand: three nodes, hidden size 1, so that every feature is one number.
namespace npq::test {
namespace {

using nn::MemoryMessages;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

nn::ProcessorOptions plain(std::string_view name) {
  nn::ProcessorOptions options;
  options.name = name;
  options.triplet_fts = 1;
  options.layer_norm = false;  // of one feature it is always zero
  return options;
}

/// Nodes 1, 2, 3; edge (s, r) holds 0.s r, e.g. 0.02 for (0, 2) counted from 0; nodes 0 and 1 are
/// connected.
nn::Features three_nodes() {
  return {.node = {make_tensor({1, 3, 1}, {1, 2, 3})},
          .edge = {make_tensor({1, 3, 3, 1}, {0, .01, .02, .1, .11, .12, .2, .21, .22}),
                   make_tensor({1, 1}, {1}), make_tensor({1}, {0})},
          .graph = make_tensor({1, 1}, {1000}),
          .adjacency = make_tensor({1, 3, 3}, {1, 1, 0, 1, 1, 0, 0, 0, 1}).to(at::kBool)};
}

const at::Tensor kHidden = make_tensor({1, 3, 1}, {0, 0, 0});

/// M[s,r] = node[r] + 10 node[s] + edge[s,r] + graph, the MLP does nothing to positive messages,
/// the result is agg.
ops::ParameterStore message_parameters(const nn::ProcessorOptions& options) {
  auto store = zero_parameters(nn::processor_parameters(options, 1));
  set(store, "processor/m1.w", {1, 0});
  set(store, "processor/m2.w", {10, 0});
  for (const auto* name : {"me", "mg", "mlp0", "mlp1", "o2"}) {
    set(store, std::string("processor/") + name + ".w", {1});
  }
  return store;
}

std::vector<double> hidden_of(const nn::ProcessorOptions& options, const ops::ParameterStore& store,
                              const at::Tensor& hidden = kHidden,
                              const std::optional<MemoryMessages>& memory = {}) {
  return numbers(nn::make_processor(options, store)->process(three_nodes(), hidden, memory).hidden);
}

std::vector<double> hidden_of(std::string_view name) {
  const auto options = plain(name);
  return hidden_of(options, message_parameters(options));
}

TEST(Pgn, WithAllPairsEveryNodeHearsTheLoudestSender) {
  // Node 2 says 30; beside it the receiver's own 1, 2, 3 and the edge from node 2.
  EXPECT_THAT(hidden_of("mpnn"), ElementsAre(DoubleNear(1031.2, 1e-9), DoubleNear(1032.21, 1e-9),
                                             DoubleNear(1033.22, 1e-9)));
}

TEST(Pgn, WithGivenPairsANodeHearsItsNeighboursAndItself) {
  EXPECT_THAT(hidden_of("pgn"), ElementsAre(DoubleNear(1021.1, 1e-9), DoubleNear(1022.11, 1e-9),
                                            DoubleNear(1033.22, 1e-9)));
}

TEST(Pgn, DeepSetsHearOnlyThemselves) {
  EXPECT_THAT(hidden_of("deepsets"), ElementsAre(DoubleNear(1011, 1e-9), DoubleNear(1022.11, 1e-9),
                                                 DoubleNear(1033.22, 1e-9)));
}

TEST(Pgn, AGateHalfOpenTakesTheMeanOfNewAndOld) {
  const auto options = plain("gmpnn");
  const auto hidden = make_tensor({1, 3, 1}, {100, 200, 300});
  // All gate parameters are zero: sigmoid(0) = 1/2.
  EXPECT_THAT(
      hidden_of(options, message_parameters(options), hidden),
      ElementsAre(DoubleNear((1031.2 + 100) / 2, 1e-9), DoubleNear((1032.21 + 200) / 2, 1e-9),
                  DoubleNear((1033.22 + 300) / 2, 1e-9)));
}

TEST(Pgn, AFreshGateIsNearlyClosed) {
  const auto options = plain("gmpnn");
  const auto store = ops::initialise(nn::processor_parameters(options, 1), 1, at::kDouble);
  EXPECT_THAT(numbers(store.at("processor/g3.b")), ElementsAre(-3));
}

TEST(Pgn, AMemorysRowIsOneMoreSenderBeforeTheMessageMlp) {
  const auto options = plain("mpnn");
  const auto store = message_parameters(options);
  set(store, "processor/mlp1.w", {2});
  const MemoryMessages memory{.rows = make_tensor({1, 3, 1}, {2000, 1, 1032.5})};
  // Doubled by the MLP as all messages are: 2000 and 1032.5 are louder than 1031.2 and 1033.22? The
  // last is not.
  EXPECT_THAT(
      hidden_of(options, store, kHidden, memory),
      ElementsAre(DoubleNear(4000, 1e-9), DoubleNear(2064.42, 1e-9), DoubleNear(2066.44, 1e-9)));
}

TEST(Pgn, AMemorysRowAfterTheMlpIsTakenAsItIs) {
  const auto options = plain("mpnn");
  const auto store = message_parameters(options);
  set(store, "processor/mlp1.w", {2});
  const MemoryMessages memory{.rows = make_tensor({1, 3, 1}, {2000, 1, 3000}),
                              .join = kernels::Join::PostMlp};
  EXPECT_THAT(hidden_of(options, store, kHidden, memory),
              ElementsAre(DoubleNear(2062.4, 1e-9), DoubleNear(2064.42, 1e-9), 3000));
}

TEST(Pgn, ARowSentToAllIsHeardByAll) {
  const auto options = plain("pgn");
  const MemoryMessages memory{.rows = make_tensor({1, 3, 1}, {1030, 0, 0}),
                              .delivery = kernels::Delivery::All};
  EXPECT_THAT(hidden_of(options, message_parameters(options), kHidden, memory),
              ElementsAre(1030, 1030, DoubleNear(1033.22, 1e-9)));
}

TEST(Pgn, LayerNormMakesMeanZeroAndBiasedVarianceOne) {
  nn::ProcessorOptions options;
  const auto store = zero_parameters(nn::processor_parameters(options, 2));
  set(store, "processor/o1.b", {1, 3});  // relu leaves (1, 3): mean 2, deviation 1
  set(store, "processor/ln.scale", {10, 10});
  set(store, "processor/ln.offset", {0.5, 0.5});
  nn::Features features = three_nodes();
  features.node = {at::zeros({1, 3, 2}, at::kDouble)};
  features.edge.rows = at::zeros({1, 2}, at::kDouble);
  features.edge.bias = at::zeros({2}, at::kDouble);
  features.graph = at::zeros({1, 2}, at::kDouble);
  const auto result =
      nn::make_processor(options, store)->process(features, at::zeros({1, 3, 2}, at::kDouble), {});
  const double one = 10 / std::sqrt(1 + 1e-5);
  EXPECT_THAT(numbers(result.hidden.select(1, 0)),
              ElementsAre(DoubleNear(0.5 - one, 1e-12), DoubleNear(0.5 + one, 1e-12)));
}

TEST(Triplets, TheMessageOfAPairIsTheLoudestThirdNodes) {
  const auto options = plain("triplet_mpnn");
  const auto store = message_parameters(options);
  set(store, "processor/te1.w", {1});
  set(store, "processor/te2.w", {100});
  set(store, "processor/t2.w", {1000, 0});
  set(store, "processor/o3.w", {1});
  const auto triplets =
      nn::make_processor(options, store)->process(three_nodes(), kHidden, {}).triplets;
  // max over i of edge[i,j] + 100 edge[i,k] is that of i = 2 everywhere; the rest is 1000 node[j].
  EXPECT_THAT(numbers(triplets),
              ElementsAre(DoubleNear(1000 + .2 + 20, 1e-9), DoubleNear(1000 + .2 + 21, 1e-9),
                          DoubleNear(1000 + .2 + 22, 1e-9), DoubleNear(2000 + .21 + 20, 1e-9),
                          DoubleNear(2000 + .21 + 21, 1e-9), DoubleNear(2000 + .21 + 22, 1e-9),
                          DoubleNear(3000 + .22 + 20, 1e-9), DoubleNear(3000 + .22 + 21, 1e-9),
                          DoubleNear(3000 + .22 + 22, 1e-9)));
}

/// Attention to sender j in proportion to 1, 2, 5; values 8, 16, 24.
struct Heard {
  nn::Features features = three_nodes();
  at::Tensor hidden = make_tensor({1, 3, 1}, {8, 16, 24});
  Heard() { features.node = {make_tensor({1, 3, 1}, {0, std::log(2), std::log(5)})}; }
};

std::vector<double> attended(std::string_view name,
                             const std::optional<MemoryMessages>& memory = {}) {
  const auto options = plain(name);
  const auto store = zero_parameters(nn::processor_parameters(options, 1));
  set(store, "processor/m.w", {0, 1});
  if (name.starts_with("gatv2")) {
    set(store, "processor/w1.w", {1, 0});
    set(store, "processor/ah0.w", {1});
  } else {
    set(store, "processor/a2.w", {1, 0});
  }
  const Heard heard;
  return numbers(
      nn::make_processor(options, store)->process(heard.features, heard.hidden, memory).hidden);
}

TEST(Attention, WeighsAllSendersOrTheAdjacentOnes) {
  for (const std::string name : {"gat", "gatv2"}) {
    SCOPED_TRACE(name);
    const double all = (8 + 2 * 16 + 5 * 24) / 8.0, two = (8 + 2 * 16) / 3.0;
    EXPECT_THAT(attended(name + "_full"),
                ElementsAre(DoubleNear(all, 1e-9), DoubleNear(all, 1e-9), DoubleNear(all, 1e-9)));
    EXPECT_THAT(attended(name),
                ElementsAre(DoubleNear(two, 1e-9), DoubleNear(two, 1e-9), DoubleNear(24, 1e-9)));
  }
}

TEST(Attention, AMemorysMessageIsAddedWithWeightOne) {
  const auto rows = make_tensor({1, 3, 1}, {1, 2, 3});
  for (const std::string name : {"gat_full", "gatv2_full"}) {
    SCOPED_TRACE(name);
    EXPECT_THAT(attended(name, MemoryMessages{.rows = rows}),
                ElementsAre(DoubleNear(21, 1e-9), DoubleNear(22, 1e-9), DoubleNear(23, 1e-9)));
    EXPECT_THAT(attended(name, MemoryMessages{.rows = rows, .delivery = kernels::Delivery::All}),
                ElementsAre(DoubleNear(26, 1e-9), DoubleNear(26, 1e-9), DoubleNear(26, 1e-9)));
    EXPECT_THAT(
        attended(name, MemoryMessages{.rows = rows, .delivery = kernels::Delivery::SelfRepeat}),
        ElementsAre(DoubleNear(23, 1e-9), DoubleNear(26, 1e-9), DoubleNear(29, 1e-9)));
  }
}

TEST(Attention, TheEdgeOfReceiverAndSenderDecidesInThatOrder) {
  const auto options = plain("gat_full");
  const auto store = zero_parameters(nn::processor_parameters(options, 1));
  set(store, "processor/m.w", {0, 1});
  set(store, "processor/ae.w", {1});
  Heard heard;
  // Only node 0 as receiver has an opinion: ln 6 on node 2 as sender, so weights 1 : 1 : 6.
  heard.features.edge.values = make_tensor({1, 3, 3, 1}, {0, 0, std::log(6), 0, 0, 0, 0, 0, 0});
  const auto result = nn::make_processor(options, store)->process(heard.features, heard.hidden, {});
  EXPECT_THAT(numbers(result.hidden), ElementsAre(DoubleNear((8 + 16 + 144) / 8.0, 1e-9),
                                                  DoubleNear(16, 1e-9), DoubleNear(16, 1e-9)));
}

TEST(ProcessorCatalog, HoldsTheNamesOfTheBenchmark) {
  EXPECT_THAT(nn::processor_names(),
              ::testing::IsSupersetOf({"deepsets", "mpnn", "pgn", "pgn_mask", "gat", "gat_full",
                                       "gatv2", "gatv2_full", "triplet_mpnn", "triplet_pgn",
                                       "gmpnn", "gpgn", "triplet_gmpnn"}));
  EXPECT_THAT(error_text([] { nn::find_processor("gatt"); }),
              HasSubstr("no processor 'gatt'; did you mean 'gat'?"));
}

}  // namespace
}  // namespace npq::test
