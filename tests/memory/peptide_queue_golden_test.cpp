// The queue inside the golden peptide networks: graphs of 3, 6 and 9 nodes, here padded to one
// size. A layer is a step; z and what was read are stored. `ref` queues are the authors' peptide
// code, which writes one slot after the other.
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "npq/memory/factory.h"
#include "npq/memory/priority_queue.h"
#include "tests/memory/support.h"

namespace npq::test {
namespace {

using Q = PriorityQueueOptions;

MemoryOptions case_options(const SafetensorsFile& file) {
  const auto& meta = file.metadata();
  const bool reference = meta.at("queue") == "ref";
  auto options = memory_options(meta.at("variant"), reference ? Preset::Reference : Preset::Paper);
  options.carry = Carry::All;
  options.slots = std::stoll(meta.at("slots"));
  options.queue.heads = std::stoll(meta.at("heads"));
  if (reference) options.queue.write_slot = Q::WriteSlot::Rotate;
  return options;
}

/// Where node i of the batch lies in the padded one.
struct Places {
  std::vector<std::int64_t> graph, place, count;

  explicit Places(const SafetensorsFile& file) {
    graph = file.values<std::int64_t>("graph/batch");
    for (const std::int64_t g : graph) {
      count.resize(std::max<std::size_t>(count.size(), g + 1));
      place.push_back(count[g]++);
    }
  }
  std::int64_t nodes() const { return *std::max_element(count.begin(), count.end()); }
  std::int64_t graphs() const { return static_cast<std::int64_t>(count.size()); }

  at::Tensor pad(const at::Tensor& x) const {
    auto padded = at::zeros({graphs(), nodes(), x.size(1)}, x.options()) + 3;  // must not matter
    for (std::size_t i = 0; i < graph.size(); ++i)
      padded[graph[i]][place[i]].copy_(x[static_cast<std::int64_t>(i)]);
    return padded;
  }
  at::Tensor mask() const {
    auto mask = at::zeros({graphs(), nodes()}, at::kBool);
    for (std::size_t i = 0; i < graph.size(); ++i) mask[graph[i]][place[i]].fill_(true);
    return mask;
  }
  at::Tensor unpad(const at::Tensor& x) const {
    auto flat = at::zeros({static_cast<std::int64_t>(graph.size()), x.size(2)}, x.options());
    for (std::size_t i = 0; i < graph.size(); ++i)
      flat[static_cast<std::int64_t>(i)].copy_(x[graph[i]][place[i]]);
    return flat;
  }
};

void check_case(const SafetensorsFile& file) {
  const auto options = case_options(file);
  const Places places(file);
  const auto parameters = golden_parameters(file, "param/queue.", at::kDouble);
  const std::int64_t width = file.at("queue/z/1").shape[1],
                     layers = std::stoll(file.metadata().at("layers"));
  const auto memory = make_memory(options, width, width);
  auto state = memory->initial_state({.batch = places.graphs(),
                                      .nodes = places.nodes(),
                                      .steps = layers,
                                      .dtype = at::kDouble,
                                      .node_mask = places.mask()});
  for (std::int64_t k = 1; k <= layers; ++k) {
    const std::string layer = std::to_string(k);
    const auto stored = [&](const std::string& name) {
      return golden_tensor(file, name + "/" + layer);
    };
    const auto step = memory->step(parameters, places.pad(stored("queue/z")), state);
    state = step.next_state;
    EXPECT_LE(difference(places.unpad(step.messages.detach()), stored("queue/read")), 1e-12)
        << "layer " << k;
    EXPECT_LE(difference(state.tensor("v"), stored("state/v")), 1e-12) << "layer " << k;
    EXPECT_EQ(difference(PriorityQueue::occupied(state), stored("state/used")), 0) << "layer " << k;
    if (state.has("s")) {
      EXPECT_LE(difference(state.tensor("s"), stored("state/s")), 1e-12) << "layer " << k;
    }
  }
}

TEST(PeptideQueueGolden, TheQueueOfEveryPeptideNetworkAgreesLayerByLayer) {
  const auto folder = golden_folder() / "lrgb";
  if (!std::filesystem::is_directory(folder)) {
    std::printf("no folder lrgb here: its cases are left out\n");
    return;
  }
  int cases = 0;
  for (const auto& path : golden_files(folder)) {
    const auto file = SafetensorsFile::open(path);
    if (!file.find("queue/z/1")) continue;
    SCOPED_TRACE(path.filename());
    check_case(file);
    ++cases;
  }
  std::printf("%d peptide queues\n", cases);
  EXPECT_GT(cases, 0);
}

}  // namespace
}  // namespace npq::test
