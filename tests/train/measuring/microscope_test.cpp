#include "npq/train/measuring/microscope.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "npq/memory/catalog.h"

namespace npq::train {
namespace {

nlohmann::json look(const char* algorithm, const std::string& memory) {
  TrainOptions options;
  options.algorithm = algorithm;
  options.model.hidden = 8;
  options.memory = memory::memory_options(memory);
  const Network network(options);
  auto set = network.task.test_set(5);
  set.samples = 1;
  const auto data = clrs::generate(network.task.algorithm(), set);
  return look_closely(network, data.samples.front());
}

TEST(Microscope, EveryMemoryOfTheCatalogCanBeLookedAt) {
  for (const auto& row : memory::catalog()) {
    const auto trace = look("dijkstra", std::string(row.name));
    ASSERT_FALSE(trace["steps"].empty()) << row.name;
    for (const auto& step : trace["steps"]) {
      EXPECT_EQ(step.contains("memory"), row.name != "none") << row.name;
      EXPECT_TRUE(step.contains("queue"));
    }
  }
}

TEST(Microscope, GrantsOfAQueueNeverExceedWhatWasThere) {
  const auto trace = look("dijkstra", "npq_w");
  int checked = 0;
  for (const auto& step : trace["steps"]) {
    const auto& memory = step["memory"];
    if (!memory.contains("before")) continue;
    const auto& strength = memory["before"]["strength"];
    for (std::size_t slot = 0; slot < strength.size(); ++slot) {
      double given = 0;
      for (const auto& node : memory["seen"]["grant"]) given += node[slot].get<double>();
      EXPECT_LE(given, strength[slot].get<double>() * 1.01 + 1e-6);
      ++checked;
    }
  }
  EXPECT_GT(checked, 0);
}

TEST(Microscope, APersistentQueueHoldsOneElementMoreEachStep) {
  const auto trace = look("priority_queue", "npq_w_p");
  for (std::size_t k = 0; k < trace["steps"].size(); ++k) {
    int full = 0;
    for (const auto& written : trace["steps"][k]["memory"]["after"]["written"])
      full += written >= 0;
    EXPECT_EQ(full, k + 1);
  }
  EXPECT_TRUE(trace.contains("agreement"));
}

TEST(Microscope, AStackShowsWhatEachNodePushes) {
  const auto trace = look("dijkstra", "stack");
  EXPECT_EQ(trace["steps"][0]["memory"]["seen"]["push"].size(), 5u);
  EXPECT_EQ(trace["steps"][0]["memory"]["seen"]["pushed_value"].size(), 5u);
}

TEST(Microscope, KeysStandBesideTheTrueQueueInItsOrder) {
  const auto trace = look("dijkstra", "none");
  EXPECT_EQ(trace["key"], "d");
  for (std::size_t k = 0; k < trace["steps"].size(); ++k) {
    const auto& step = trace["steps"][k];
    const auto keys = step["keys"].get<std::vector<double>>();
    EXPECT_EQ(keys.size(), step["queue"].size());
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  }
  EXPECT_FALSE(look("queue", "none").contains("key"));  // goes by the order of coming in
}

TEST(Microscope, TheQueueAfterAStepIsTheHintOfThatStepAndWhatTheNextFinds) {
  const auto trace = look("dijkstra", "none");
  const auto& steps = trace["steps"];
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (k > 0) {
      EXPECT_EQ(steps[k]["queue"], steps[k - 1]["queue_after"]);
    }
    auto after = steps[k]["queue_after"].get<std::vector<int>>();
    std::sort(after.begin(), after.end());
    std::vector<int> hinted;
    const auto mask = trace["hints"]["in_queue"]["true"][k].get<std::vector<int>>();
    for (int i = 0; i < 5; ++i)
      if (mask[i] == 1) hinted.push_back(i);
    EXPECT_EQ(after, hinted);
  }
}

TEST(Microscope, TheScoreIsTheShareOfRightPointers) {
  const auto trace = look("dijkstra", "none");
  const auto& pi = trace["outputs"]["pi"];
  double right = 0;
  for (std::size_t i = 0; i < 5; ++i) right += pi["predicted"][i] == pi["true"][i];
  EXPECT_NEAR(trace["score"].get<double>(), right / 5, 1e-4);  // four digits
}

TEST(Microscope, AnAlgorithmWithoutAQueueIsNotComparedWithOne) {
  const auto trace = look("bfs", "npq_w");
  EXPECT_FALSE(trace.contains("agreement"));
  EXPECT_FALSE(trace["steps"][0].contains("queue"));
}

}  // namespace
}  // namespace npq::train
