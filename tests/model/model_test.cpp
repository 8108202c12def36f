#include "npq/model/model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>

#include <memory>

#include "npq/model/evaluation.h"
#include "npq/model/losses.h"
#include "tests/support/error_text.h"
#include "tests/support/torch_batches.h"
#include "tests/support/torch_golden.h"
#include "tests/support/torch_numbers.h"

namespace npq::test {
namespace {

using ::testing::HasSubstr;

clrs::Spec dijkstra_spec() {
  using namespace clrs::spec_words;
  using clrs::hint, clrs::input, clrs::output;
  return {input("pos", node, scalar), input("s", node, mask_one),   input("A", edge, scalar),
          input("adj", edge, mask),   hint("pi_h", node, pointer),  hint("d", node, scalar),
          hint("mark", node, mask),   hint("in_queue", node, mask), hint("u", node, mask_one),
          output("pi", node, pointer)};
}

model::ModelOptions options_of(std::string_view processor, std::int64_t hidden = 128) {
  model::ModelOptions options;
  options.hidden = hidden;
  options.processor.name = processor;
  return options;
}

std::int64_t count(std::string_view processor, std::string_view part = {}) {
  return ops::count_elements(model::Model::parameters(dijkstra_spec(), options_of(processor)),
                             part);
}

TEST(ParameterCount, OfMpnnOnDijkstraIsThatOfTheBenchmarkPartByPart) {
  EXPECT_EQ(count("mpnn", "encoder/"), 9 * 256);
  EXPECT_EQ(count("mpnn", "processor/"), 181504);
  EXPECT_EQ(count("mpnn", "decoder/"), 231942);
  EXPECT_EQ(count("mpnn"), 415750);
}

TEST(ParameterCount, OfTheOtherProcessorsIsThatOfTheBenchmark) {
  EXPECT_EQ(count("deepsets"), 415750);
  EXPECT_EQ(count("pgn"), 415750);
  EXPECT_EQ(count("triplet_mpnn", "processor/"), 192952);
  EXPECT_EQ(count("triplet_mpnn", "decoder/"), 264710);
  EXPECT_EQ(count("triplet_mpnn"), 459966);
  EXPECT_EQ(count("gmpnn"), 481670);
  EXPECT_EQ(count("triplet_gmpnn"), 525886);
  EXPECT_EQ(count("gat", "processor/"), 66820);
  EXPECT_EQ(count("gat"), 301066);
  EXPECT_EQ(count("gatv2", "processor/"), 164993);
  EXPECT_EQ(count("gatv2"), 399239);
}

struct Dijkstra {
  clrs::Spec spec = dijkstra_spec();
  ops::ParameterStore store;
  model::TensorBatch batch = random_batch(spec, 4, {4, 4}, 3);

  explicit Dijkstra(const model::ModelOptions& options)
      : store(ops::initialise(model::Model::parameters(spec, options), 1, at::kDouble)) {}
};

TEST(TeacherForcing, AlwaysMakesEveryStepAFunctionOfTheTrueHints) {
  auto options = options_of("mpnn", 8);
  options.teacher_forcing = 1;
  const Dijkstra task(options);
  const model::Model model(task.spec, options, task.store);
  const auto plain = model.unroll(task.batch);
  // Without hidden state nothing else comes from earlier steps, but here it does: so change only
  // the weights by which hint predictions are made. Forced steps do not look at them.
  set(task.store, "decoder/d.0.w", {0.5});
  EXPECT_EQ(relative_difference(model.unroll(task.batch).hints.at("mark"), plain.hints.at("mark")),
            0);
  options.teacher_forcing = 0;
  const model::Model free(task.spec, options, task.store);
  EXPECT_GT(relative_difference(free.unroll(task.batch).hints.at("mark"), plain.hints.at("mark")),
            0);
}

TEST(TeacherForcing, IsOffInEvaluation) {
  auto options = options_of("mpnn", 8);
  const Dijkstra task(options);
  const auto plain = model::evaluate(model::Model(task.spec, options, task.store), task.batch);
  options.teacher_forcing = 1;
  options.dropout = 0.5;
  const auto forced = model::evaluate(model::Model(task.spec, options, task.store), task.batch);
  EXPECT_EQ(relative_difference(forced.raw.at("pi"), plain.raw.at("pi")), 0);
}

TEST(Dropout, SetsTheGivenShareOfTheHiddenStateToZeroAndEnlargesTheRest) {
  auto options = options_of("mpnn", 64);
  const Dijkstra task(options);
  const auto plain =
      model::Model(task.spec, options, task.store).unroll(task.batch, {.keep_steps = true});
  options.dropout = 0.25;
  const auto dropped =
      model::Model(task.spec, options, task.store).unroll(task.batch, {.keep_steps = true});
  const auto before = numbers(plain.steps[0].next.hidden),
             after = numbers(dropped.steps[0].next.hidden);
  int zeros = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (after[i] == 0) {
      ++zeros;
    } else {
      EXPECT_DOUBLE_EQ(after[i], before[i] / 0.75);
    }
  }
  EXPECT_NEAR(zeros / 512.0, 0.25,
              0.08);  // 2 samples, 4 nodes, 64 features: four standard deviations
}

/// Remembers the sum of all z so far, and tells each node a tenth of its own share.
class SummingMemory : public memory::Memory {
 public:
  ops::ParameterSpecs parameter_specs() const override { return {}; }
  memory::MemoryState initial_state(const memory::MemoryBatch& batch) const override {
    calls_ = batch.steps;
    return {.tensors = {{"sum", at::zeros({batch.batch, batch.nodes, 16}, at::kDouble)}},
            .integers = {}};
  }
  memory::MemoryStep step(const ops::ParameterStore&, const at::Tensor& z,
                          const memory::MemoryState& state, memory::Watch) const override {
    auto next = state;
    next.set("sum", state.tensor("sum") + z);
    return {.messages = state.tensor("sum").narrow(2, 0, 8) * 0.1, .next_state = next};
  }
  mutable std::int64_t calls_ = 0;
};

TEST(JoinedMemory, SeesWhatTheProcessorSeesAndItsStateIsCarriedFromStepToStep) {
  const auto options = options_of("mpnn", 8);
  const Dijkstra task(options);
  const auto memory = std::make_shared<SummingMemory>();
  const model::Model with(task.spec, options, task.store, {.memory = memory});
  const auto result = with.unroll(task.batch, {.keep_steps = true});
  EXPECT_EQ(memory->calls_, 3);
  ASSERT_EQ(result.steps.size(), 3);
  auto sum = at::zeros({2, 4, 16}, at::kDouble);
  auto hidden = at::zeros({2, 4, 8}, at::kDouble);
  for (const auto& step : result.steps) {
    EXPECT_EQ(relative_difference(step.remembered.messages, sum.narrow(2, 0, 8) * 0.1), 0);
    const auto node_features = step.decoder_input.node.all().narrow(2, 0, 8);
    sum = sum + at::cat({node_features, hidden}, -1);
    EXPECT_EQ(relative_difference(step.next.memory->state().tensor("sum"), sum), 0);
    hidden = step.next.hidden;
  }
}

TEST(JoinedMemory, MessagesChangeWhatTheNetworkSays) {
  const auto options = options_of("gat", 8);
  const Dijkstra task(options);
  const model::Model without(task.spec, options, task.store),
      with(task.spec, options, task.store, {.memory = std::make_shared<SummingMemory>()});
  EXPECT_GT(relative_difference(with.unroll(task.batch).outputs.at("pi"),
                                without.unroll(task.batch).outputs.at("pi")),
            0);
}

TEST(HintModes, NoneHasNoPartsForHintsAndDecodedOnlyDecodersAlone) {
  auto options = options_of("mpnn", 8);
  const auto parts = [&](std::string_view prefix) {
    return ops::count_elements(model::Model::parameters(dijkstra_spec(), options), prefix);
  };
  options.hint_mode = model::HintMode::DecodedOnly;
  EXPECT_EQ(parts("encoder/d."), 0);
  EXPECT_GT(parts("decoder/d."), 0);
  options.hint_mode = model::HintMode::None;
  EXPECT_EQ(parts("encoder/d."), 0);
  EXPECT_EQ(parts("decoder/d."), 0);
}

TEST(Model, SaysWhichParameterHasAnotherShape) {
  const Dijkstra task(options_of("mpnn", 8));
  EXPECT_THAT(error_text([&] { model::Model(task.spec, options_of("mpnn", 16), task.store); }),
              HasSubstr("'encoder/pos.0.w' has shape [1, 8], but these options need [1, 16]"));
  EXPECT_THAT(error_text([&] { model::Model(task.spec, options_of("gat", 8), task.store); }),
              HasSubstr("no parameter 'processor/m.w'"));
}

TEST(Model, SaysWhatABatchLacks) {
  const auto options = options_of("mpnn", 8);
  Dijkstra task(options);
  const model::Model model(task.spec, options, task.store);
  auto batch = task.batch;
  batch.inputs.erase("A");
  EXPECT_THAT(error_text([&] { model.unroll(batch); }), HasSubstr("no input 'A'"));
  batch = task.batch;
  batch.hints["d"] = batch.hints["d"].narrow(0, 0, 2);
  EXPECT_THAT(error_text([&] { model.unroll(batch); }),
              HasSubstr("hint 'd' has shape [2, 2, 4], expected [4, 2, 4]"));
  EXPECT_THAT(error_text([&] { model.unroll(task.batch, {.steps = 2}); }),
              HasSubstr("the longest sample needs 3"));
}

TEST(Losses, AreSummedOverOutputsAndHints) {
  const auto options = options_of("mpnn", 8);
  const Dijkstra task(options);
  const model::Model model(task.spec, options, task.store);
  const auto losses = model::losses(task.spec, model.unroll(task.batch), task.batch);
  double sum = losses.outputs.at("pi").item<double>();
  EXPECT_EQ(losses.hints.size(), 5);
  for (const auto& [name, loss] : losses.hints) sum += loss.item<double>();
  EXPECT_DOUBLE_EQ(losses.total.item<double>(), sum);
}

}  // namespace
}  // namespace npq::test
