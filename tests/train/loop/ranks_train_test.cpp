// Several ranks train what one trains alone, bit for bit. They are threads here; tests/app/ranks_cluster_test.cpp
// has processes.
#include <gmock/gmock.h>

#include <cmath>

#include "npq/train/loop/algorithm_subject.h"
#include "tests/train/loop/small_run.h"
#include "tests/train/ranks/together.h"

namespace npq::train {
namespace {

using test::together;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RanksRun : public Run {
 protected:
  /// Whatever the ranks say, and the run of rank 0 in the folder `name`.
  std::vector<std::string> train_together(const std::string& name, const TrainOptions& options,
                                          int count) const {
    return together(count, [&](const auto& ranks) {
      // Those that follow must not need the folder.
      const auto folder = ranks->is_first() ? run(name) : run("nowhere");
      start_run(folder, options, nlohmann::json::object(), ranks)->run({});
    });
  }
  void expect_same(const std::string& a, const std::string& b) const {
    for (const auto* file : {"last.safetensors", "best.safetensors", "average.safetensors"})
      EXPECT_EQ(content(a, file), content(b, file)) << file;
    EXPECT_EQ(told(a), told(b));
    EXPECT_FALSE(std::filesystem::exists(run("nowhere")));
  }
  /// Losses and scores, without the time that they took.
  std::vector<nlohmann::json> told(const std::string& name) const {
    auto lines = metrics(name);
    for (auto& line : lines) line.erase("seconds");
    return lines;
  }
};

TrainOptions eight_parts(const std::string& memory, const std::string& processor = "mpnn") {
  auto options = small_run(7);
  options.memory = memory::memory_options(memory);
  options.model.processor.name = processor;
  options.batch = 128;
  options.train_sizes = {4};
  options.evaluate_every = 3;
  return options;
}

TEST_F(RanksRun, TwoFourAndEightTrainTheBitsOfOne) {
  train("1", eight_parts("npq_w"));
  for (const int count : {2, 4, 8}) {
    const auto name = std::to_string(count);
    EXPECT_THAT(train_together(name, eight_parts("npq_w"), count), Each(IsEmpty()));
    expect_same("1", name);
  }
}

TEST_F(RanksRun, FourTrainTheBitsOfOneWithoutMemory) {
  train("1", eight_parts("none"));
  EXPECT_THAT(train_together("4", eight_parts("none"), 4), Each(IsEmpty()));
  expect_same("1", "4");
}

TEST_F(RanksRun, TwoTrainTheBitsOfOneWithTriplets) {
  const auto options = eight_parts("none", "triplet_gmpnn");
  train("one", options);
  EXPECT_THAT(train_together("two", options, 2), Each(IsEmpty()));
  expect_same("one", "two");
}

TEST_F(RanksRun, OddBatchesAreSharedToo) {
  auto options = eight_parts("npq_w");
  options.batch = 100;  // six parts, of which no rank has a whole half of the tree
  train("one", options);
  for (const int count : {3, 5}) {
    const auto name = std::to_string(count);
    EXPECT_THAT(train_together(name, options, count), Each(IsEmpty()));
    expect_same("one", name);
  }
}

TEST_F(RanksRun, ARunGoesOnWithAnotherNumberOfRanks) {
  const auto options = eight_parts("npq_w");
  train("one", options);
  const auto until = [](Trainer& trainer, std::int64_t last) {
    return trainer.run({.stop = [&trainer, last] { return trainer.next_step() > last; }});
  };
  const auto resume = [&](const std::shared_ptr<Ranks>& ranks) {
    return resume_run(ranks->is_first() ? run("changing") : run("nowhere"), {}, ranks);
  };
  EXPECT_EQ(until(*start_run(run("changing"), options, nlohmann::json::object()), 1),
            Ending::Stopped);
  EXPECT_THAT(together(4,
                       [&](const auto& ranks) {
                         const auto trainer = resume(ranks);
                         EXPECT_EQ(trainer->next_step(), 2);
                         EXPECT_EQ(until(*trainer, 3), Ending::Stopped);
                       }),
              Each(IsEmpty()));
  EXPECT_THAT(together(2, [&](const auto& ranks) { resume(ranks)->run({}); }), Each(IsEmpty()));
  expect_same("one", "changing");
}

TEST_F(RanksRun, AWishOfOneRankStopsAllBehindTheSameUpdate) {
  std::vector<std::int64_t> steps(2);
  together(2, [&](const auto& ranks) {
    const auto trainer =
        start_run(run("run"), eight_parts("none"), nlohmann::json::object(), ranks);
    const bool asks = ranks->rank() == 1;
    EXPECT_EQ(trainer->run({.stop = [&] { return asks && trainer->next_step() == 2; }}),
              Ending::Stopped);
    steps[static_cast<std::size_t>(ranks->rank())] = trainer->next_step();
  });
  EXPECT_THAT(steps, Each(3)) << "the update in which they heard of it is made";
}

TEST_F(RanksRun, MoreRanksThanPartsAreRefusedWithTheBatchThatWouldDo) {
  auto options = small_run();
  options.batch = 32;
  EXPECT_THAT(train_together("run", options, 3), Each(HasSubstr("--batch 48")));
  EXPECT_FALSE(std::filesystem::exists(run("run"))) << "nothing was begun";
}

TEST_F(RanksRun, ANumberThatIsNoneStopsAllAtTheSameStep) {
  auto options = eight_parts("none");
  options.adam.learning_rate = 1e38;
  const auto words = train_together("run", options, 2);
  EXPECT_THAT(words[0],
              ::testing::AllOf(HasSubstr("the loss of step"), HasSubstr("--learning-rate")));
  EXPECT_THAT(words[1], HasSubstr("the loss of step"));
}

TEST_F(RanksRun, WeightsThatDifferAreNoticedAtTheNextValidation) {
  const auto words = together(3, [&](const auto& ranks) {
    const auto trainer = start_run(ranks->is_first() ? run("run") : run("nowhere"),
                                   eight_parts("none"), nlohmann::json::object(), ranks);
    trainer->run({.step = [&](const StepReport& report) {
      if (ranks->rank() == 2 && report.step == 2)
        trainer->subject().store().begin()->value.detach().flatten()[0] += 1e-3;
    }});
  });
  EXPECT_THAT(words, Each(HasSubstr("the weights of rank 2 are no longer those of rank 0")));
}

}  // namespace
}  // namespace npq::train
