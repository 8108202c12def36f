#include "npq/lrgb/model.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gmock/gmock.h>

#include "npq/memory/catalog.h"
#include "tests/lrgb/small_graphs.h"
#include "tests/support/error_text.h"
#include "tests/support/torch_compare.h"
#include "tests/support/torch_gradient.h"

namespace npq::lrgb {
namespace {

using npq::test::chain_graph;
using npq::test::error_text;
using npq::test::joined;
using npq::test::small_options;
using ::testing::HasSubstr;

std::int64_t count(Base base, Layer layer, const std::string& memory) {
  ModelOptions options;
  options.base = base;
  options.layer = layer;
  options.memory = peptide_memory(memory);
  return ops::count_elements(shapes_of(Model::parameters(options)));
}

TEST(PeptideModel, HasAsManyParametersAsThePublishedBaselines) {
  // Published with 4 values of chirality; ours has 5: one row of D numbers more.
  EXPECT_EQ(count(Base::Gcn, Layer::Plain, "none"), 508211 + 300);
  EXPECT_EQ(count(Base::Gine, Layer::Plain, "none"), 475707 + 208);
  EXPECT_EQ(count(Base::Gatv2, Layer::Plain, "none"), 474043 + 208);
}

TEST(PeptideModel, HasAsManyParametersAsThePublishedMemoryModels) {
  // Those of GINE hold 434720 numbers of MLPs that are never used; ours leaves them out.
  constexpr std::int64_t kUnused = 434720;
  for (const auto* keeps : {"npq_m_p", "npq_w_p_sv"}) {
    EXPECT_EQ(count(Base::Gcn, Layer::Ref, keeps), 926448 + 300);
    EXPECT_EQ(count(Base::Gine, Layer::Ref, keeps), 778724 + 208 - kUnused);
    EXPECT_EQ(count(Base::Gatv2, Layer::Ref, keeps), 778100 + 208);
  }
  for (const auto* consumes : {"npq_m", "npq_w"}) {
    EXPECT_EQ(count(Base::Gcn, Layer::Ref, consumes), 926706 + 300);
    EXPECT_EQ(count(Base::Gine, Layer::Ref, consumes), 778982 + 208 - kUnused);
    EXPECT_EQ(count(Base::Gatv2, Layer::Ref, consumes), 778358 + 208);
  }
}

TEST(PeptideModel, TheSharedMemoryIsCountedOnce) {
  for (const auto& [memory, elements] : {std::pair("npq_w_p_sv", 35097), {"npq_w", 35355}}) {
    ModelOptions options;
    options.layer = Layer::Ref;
    options.memory = peptide_memory(memory);
    EXPECT_EQ(ops::count_elements(shapes_of(Model::parameters(options)), "memory/"), elements);
  }
}

TEST(PeptideModel, FullWithoutAMemoryIsPlain) {
  for (const auto base : {Base::Gcn, Base::Gine, Base::Gatv2}) {
    const auto plain = Model::parameters(small_options(base, Layer::Plain)),
               full = Model::parameters(small_options(base, Layer::Full));
    ASSERT_EQ(plain.size(), full.size());
    for (std::size_t k = 0; k < plain.size(); ++k) {
      EXPECT_EQ(plain[k].name, full[k].name);
      EXPECT_EQ(plain[k].centre, full[k].centre);
      EXPECT_EQ(plain[k].bound, full[k].bound);
    }
  }
}

TEST(PeptideModel, TheMatchedTwinIsTheMemoryModelWithoutItsMemory) {
  for (const auto base : {Base::Gcn, Base::Gine, Base::Gatv2}) {
    std::vector<std::string> with, without;
    for (const auto& spec : Model::parameters(small_options(base, Layer::Ref, "npq_w")))
      if (spec.name.find("memory") == std::string::npos) with.push_back(spec.name);
    for (const auto& spec : Model::parameters(small_options(base, Layer::Ref)))
      without.push_back(spec.name);
    EXPECT_EQ(with, without);
  }
}

at::Tensor predictions(const ModelOptions& options, const std::vector<peptides::Graph>& graphs) {
  const at::NoGradGuard no_grad;
  const Model model(options, draw(Model::parameters(options), 3, at::kDouble));
  auto statistics = model.initial_statistics(at::kDouble);
  for (auto& one : statistics) one.mean += 0.1, one.variance *= 0.5;
  return model.run(joined(graphs, options.base), statistics, {.mode = Mode::Evaluate}).targets;
}

std::vector<ModelOptions> all_kinds() {
  std::vector<ModelOptions> kinds;
  for (const auto base : {Base::Gcn, Base::Gine, Base::Gatv2}) {
    kinds.push_back(small_options(base, Layer::Plain));
    for (const auto* memory :
         {"npq_w", "npq_m", "npq_w_p_sv", "npq_w_sa", "stack", "virtual_node", "global_mean"})
      kinds.push_back(small_options(base, Layer::Full, memory));
    kinds.push_back(small_options(base, Layer::Ref, "npq_w"));
  }
  return kinds;
}

double largest(const at::Tensor& x) { return x.abs().max().item<double>(); }

TEST(PeptideModel, APredictionDoesNotDependOnTheOtherGraphsOfTheBatch) {
  const std::vector<peptides::Graph> graphs = {chain_graph(5), chain_graph(1, 2),
                                               chain_graph(9, 1)};
  for (const auto& options : all_kinds()) {
    const auto together = predictions(options, graphs);
    for (int g = 0; g < 3; ++g)
      // Sums in another order.
      EXPECT_LE(largest(together[g] - predictions(options, {graphs[g]})[0]), 1e-12);
  }
}

TEST(PeptideModel, APredictionDoesNotDependOnTheOrderOfNodes) {
  const auto graph = chain_graph(6);
  const auto other = npq::test::renamed(graph, {3, 0, 5, 1, 4, 2});
  for (const auto& options : all_kinds())
    EXPECT_LE(largest(predictions(options, {graph}) - predictions(options, {other})), 1e-12);
}

TEST(PeptideModel, APredictionDoesDependOnEveryAtom) {
  // So that the laws above are not kept by networks that see nothing.
  for (const auto& options : all_kinds())
    for (int atom = 0; atom < 4; ++atom) {
      auto graph = chain_graph(4);
      graph.atoms[atom][0] = 77;
      EXPECT_GT(largest(predictions(options, {chain_graph(4)}) - predictions(options, {graph})),
                1e-9);
    }
}

TEST(PeptideModel, AnIsolatedAtomLearnsToo) {
  auto torn = chain_graph(3);
  torn.edges.resize(2);  // atom 2 has no neighbour
  torn.bonds.resize(2);
  for (const auto& options : all_kinds()) {
    const auto store = draw(Model::parameters(options), 3, at::kDouble);
    const Model model(options, store);
    const auto graphs = joined({torn, chain_graph(1)}, options.base);
    const auto run = model.run(graphs, model.initial_statistics(at::kDouble), {});
    const auto loss = l1_loss(run.targets, at::zeros({2, peptides::kTargets}, at::kDouble));
    loss.backward();
    EXPECT_TRUE(std::isfinite(loss.item<double>()));
    for (const auto& entry : store)
      EXPECT_TRUE(store.grad(entry.name).isfinite().all().item<bool>()) << entry.name;
  }
}

TEST(PeptideModel, EveryMemoryServesThePeptides) {
  const auto graphs = joined({chain_graph(4), chain_graph(7, 1)}, Base::Gcn);
  for (const auto name : memory::memory_names()) {
    if (name == "oracle" || name == "none") continue;
    SCOPED_TRACE(name);
    auto options = small_options(Base::Gcn, Layer::Full, std::string(name));
    const auto store = draw(Model::parameters(options), 5, at::kDouble);
    const Model model(options, store);
    model.run(graphs, model.initial_statistics(at::kDouble), {}).targets.sum().backward();
    if (name == "constant") {  // hears nothing
      EXPECT_GT(largest(store.grad("memory/m.b")), 0);
      continue;
    }
    EXPECT_GT(largest(store.grad("memory/m.w")), 0);  // what is written is read by a later layer
    EXPECT_GT(largest(store.grad("layer/2/to_memory.w")) + largest(store.grad("memory/m.b")), 0);
  }
}

TEST(PeptideModel, WithoutItsContentIsTheModelWhoseMessageWeightsAreZero) {
  const auto options = small_options(Base::Gcn, Layer::Full, "npq_w");
  const auto graphs = joined({chain_graph(5), chain_graph(7, 1)}, options.base);
  const auto store = draw(Model::parameters(options), 5, at::kDouble);
  ops::ParameterStore deaf;
  for (const auto& [name, value] : store)
    deaf.add(name, name == "memory/m.w" ? at::zeros_like(value) : value);
  const Model model(options, store), by_hand(options, deaf);
  const auto predicted = [&](const Model& one, memory::Ablation ablation) {
    return one
        .run(graphs, model.initial_statistics(at::kDouble),
             {.mode = Mode::Evaluate, .ablation = ablation})
        .targets;
  };
  const auto zero = predicted(model, memory::Ablation::Zero);
  EXPECT_TRUE(zero.equal(predicted(by_hand, memory::Ablation::None)));
  EXPECT_FALSE(zero.equal(predicted(model, memory::Ablation::None))) << "it changed nothing";
  EXPECT_TRUE(zero.equal(predicted(model, memory::Ablation::Empty))) << "an empty queue: bias";
}

TEST(PeptideModel, GradientsAreThoseOfTheDifferenceQuotient) {
  const auto target = at::zeros({2, peptides::kTargets}, at::kDouble) + 3;  // away from |x|'s kink
  for (const auto base : {Base::Gcn, Base::Gine, Base::Gatv2}) {
    const auto options = small_options(base, Layer::Full, "npq_w");
    const auto store = draw(Model::parameters(options), 7, at::kDouble);
    // Biases begin at 0, where an empty memory's answer meets the kink of LeakyReLU.
    for (const auto& entry : store)
      entry.value.detach() += npq::test::normal(entry.value.sizes(), 0.1, 1).to(at::kDouble);
    const Model model(options, store);
    const auto graphs = joined({chain_graph(4), chain_graph(6, 1)}, base);
    const auto loss = [&] {
      return l1_loss(model.run(graphs, model.initial_statistics(at::kDouble), {}).targets, target);
    };
    EXPECT_LE(npq::test::gradient_error(store, loss, 1), 1e-6);
  }
}

TEST(PeptideModelOptions, ABaselineHasNoMemory) {
  auto options = small_options(Base::Gcn, Layer::Plain, "npq_w");
  EXPECT_THAT(error_text([&] { options.validate(); }), HasSubstr("use --layer full"));
}

TEST(PeptideModelOptions, TheOracleHasNothingToReplay) {
  auto options = small_options(Base::Gcn, Layer::Full, "oracle");
  EXPECT_THAT(error_text([&] { options.validate(); }), HasSubstr("cannot serve"));
}

}  // namespace
}  // namespace npq::lrgb
