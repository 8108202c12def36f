#include "npq/train/microscope.h"

#include <gmock/gmock.h>

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

TEST(Microscope, AnAlgorithmWithoutAQueueIsNotComparedWithOne) {
  const auto trace = look("bfs", "npq_w");
  EXPECT_FALSE(trace.contains("agreement"));
  EXPECT_FALSE(trace["steps"][0].contains("queue"));
}

}  // namespace
}  // namespace npq::train
