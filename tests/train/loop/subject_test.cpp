// A trainer trains whatever fulfils Subject: here one number.
#include "npq/train/loop/subject.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "npq/base/files/line_log.h"
#include "npq/train/loop/trainer.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq::train {
namespace {

using ::testing::HasSubstr;

/// x is to become 1: loss (x - 1)^2, two updates an epoch. `seen` is a statistic, `sum` is what it
/// remembers itself.
class OneNumber final : public Subject {
 public:
  explicit OneNumber(std::int64_t epochs = 3) : epochs_(epochs) { store_.add("x", at::zeros({1})); }

  const RunKind& kind() const override { return kPeptidesRun; }
  nlohmann::json options() const override {
    return {{"algorithm", "peptides"}, {"epochs", epochs_}};
  }
  std::vector<std::string> changeable() const override { return {"epochs"}; }
  std::int64_t steps() const override { return 2 * epochs_; }
  std::int64_t steps_per_unit() const override { return 2; }
  const ops::ParameterStore& store() const override { return store_; }
  NamedTensors statistics() const override { return {{"seen", seen_}}; }
  AdamOptions adam() const override { return {.learning_rate = 0.1}; }
  double average() const override { return 0.5; }
  void set_learning_rate(double /*rate*/) override {}

  StepReport compute_gradients(std::int64_t step) override {
    store_.zero_grad();
    const auto x = store_.at("x");
    const auto loss = (x - 1).square().sum();
    loss.backward();
    const double value =
        step == fails_at ? std::numeric_limits<double>::infinity() : loss.item<double>();
    return {.step = step, .loss = value, .gradient_norm = 0, .losses = {}};
  }
  void finish_update(const StepReport& report) override {
    sum_ += report.loss;
    seen_ = seen_ + 1;
  }
  bool is_evaluated_after(std::int64_t step) const override { return step % 2 == 1; }
  EvaluationReport evaluate(std::int64_t step) override {
    const double error = 1 - x();
    return {.step = step,
            .validation = error,
            .test = 2 * error,
            .scores = {},
            .figures = {{"sum", sum_}},
            .memory = {}};
  }
  Metadata state() const override { return {{"sum", fmt::format("{}", sum_)}}; }
  void set_state(const StoredState& state) override {
    const auto seen = state.tensor("seen", seen_);
    sum_ = state.real("sum");
    seen_ = seen;
  }

  double x() const { return store_.at("x").item<double>(); }
  std::int64_t fails_at = -1;

 private:
  std::int64_t epochs_;
  ops::ParameterStore store_;
  at::Tensor seen_ = at::zeros({1});
  double sum_ = 0;
};

class AnySubject : public ::testing::Test {
 protected:
  std::unique_ptr<Trainer> start(const std::string& name) const {
    return Trainer::start(folder_ / name, std::make_unique<OneNumber>(), {{"version", "test"}});
  }
  std::unique_ptr<Trainer> resume(const std::string& name, std::int64_t epochs = 3) const {
    auto run = RunFolder::resume(folder_ / name);
    return Trainer::resume(std::move(run), nlohmann::json::parse(content(name, "config.json")),
                           std::make_unique<OneNumber>(epochs), {});
  }
  std::string content(const std::string& name, const std::string& file) const {
    return test::file_content(folder_ / name / file);
  }
  nlohmann::json result(const std::string& name) const {
    auto result = nlohmann::json::parse(content(name, "result.json"));
    result.erase("seconds");
    return result;
  }

  test::TemporaryFolder folder_;
};

TEST_F(AnySubject, IsTrainedLoggedAndJudgedByItsOwnMetric) {
  EXPECT_EQ(start("run")->run({}), Ending::Finished);
  // Adam's first steps have the length of the rate: the error falls with each epoch.
  const auto found = result("run");
  EXPECT_EQ(found["epochs"], 3);
  EXPECT_EQ(found["steps"], 6);
  EXPECT_EQ(found["best_epoch"], 2);
  EXPECT_NEAR(found["val_mae"].get<double>(), 0.4, 0.02);
  EXPECT_DOUBLE_EQ(found["test_mae"], 2 * found["val_mae"].get<double>());
  const auto lines = read_lines(folder_ / "run" / "metrics.jsonl");
  const auto last = nlohmann::json::parse(lines.back());
  EXPECT_EQ(last["epoch"], 2);
  EXPECT_EQ(last["step"], 5);
  EXPECT_TRUE(last["best"]);
  EXPECT_GT(last["sum"], 1.9);
}

TEST_F(AnySubject, StoppedAfterAnyStepAndResumedItEndsInTheSameBits) {
  start("whole")->run({});
  for (const std::int64_t last : {0, 1, 2, 4}) {
    const auto name = "stopped" + std::to_string(last);
    {
      const auto trainer = start(name);
      const auto stop = [&] { return trainer->next_step() > last; };
      EXPECT_EQ(trainer->run({.step = {}, .evaluation = {}, .stop = stop}), Ending::Stopped);
    }
    EXPECT_EQ(resume(name)->run({}), Ending::Finished);
    for (const char* file : {"last.safetensors", "best.safetensors", "average.safetensors"})
      EXPECT_TRUE(content(name, file) == content("whole", file)) << file << " after " << last;
    EXPECT_EQ(result(name), result("whole"));
  }
}

TEST_F(AnySubject, AStateBeyondItsEndNamesTheOptionThatMovesTheEnd) {
  start("run")->run({});
  EXPECT_THAT(test::error_text([&] { resume("run", 2); }), HasSubstr("ask for more with --epochs"));
}

TEST_F(AnySubject, ALossThatIsNoNumberChangesNothing) {
  auto subject = std::make_unique<OneNumber>();
  auto& own = *subject;
  own.fails_at = 1;
  const auto trainer = Trainer::start(folder_ / "run", std::move(subject), {});
  EXPECT_THAT(test::error_text([&] { trainer->run({}); }),
              HasSubstr("the loss of step 1 is inf, and the largest gradient is that of 'x'"));
  EXPECT_NEAR(own.x(), 0.1, 1e-6);  // where the first update has left it
}

}  // namespace
}  // namespace npq::train
