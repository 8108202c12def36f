// What a training takes at least, beside what it took when it was measured.
#include "npq/train/measuring/estimate.h"

#include <gmock/gmock.h>

#include "npq/clrs/dataset/dataset.h"
#include "npq/model/model.h"
#include "npq/train/network.h"
#include "npq/train/task.h"

namespace npq::train {
namespace {

TEST(Estimate, KnowsTheWeightsBeforeTheyExist) {
  TrainOptions options;
  options.model.hidden = 8;
  const auto specs = model::Model::parameters(Task(options).spec(), options.model, options.memory);
  EXPECT_EQ(weight_bytes(specs), 4.0 * Network(options).store.elements());
  options.model.hidden = std::int64_t{1} << 40;
  EXPECT_GT(
      weight_bytes(model::Model::parameters(Task(options).spec(), options.model, options.memory)),
      1e24);
}

TEST(Estimate, IsALowerBoundOfWhatWasMeasuredAndNoEmptyOne) {
  struct Measured {
    const char *algorithm, *processor;
    std::int64_t hidden, batch;
    std::vector<int> sizes;
    double peak;  // MB, with npq train --dry-run --threads 1
  };
  // About 200 MB of each peak are the program itself.
  for (const auto& one :
       {Measured{"dijkstra", "mpnn", 128, 32, {}, 358},
        Measured{"dijkstra", "mpnn", 512, 8, {}, 581},
        Measured{"dijkstra", "mpnn", 128, 128, {}, 637},
        Measured{"dijkstra", "mpnn", 128, 8, {64}, 672}, Measured{"bfs", "gat", 128, 128, {}, 306},
        Measured{"bfs", "gat", 128, 64, {64}, 702}, Measured{"dijkstra", "gat", 32, 64, {64}, 1450},
        Measured{"minimum", "gat", 64, 64, {64}, 832},
        Measured{"dijkstra", "triplet_mpnn", 128, 4, {}, 271},
        Measured{"bfs", "mpnn", 1024, 1, {}, 1090}}) {
    TrainOptions options;
    options.algorithm = one.algorithm;
    options.model.processor.name = one.processor;
    options.model.hidden = one.hidden;
    options.batch = one.batch;
    options.train_sizes = one.sizes;
    const double least = least_training_bytes(options) * 1e-6;
    EXPECT_LT(least, one.peak - 190) << one.algorithm << " " << one.processor << " " << one.peak;
    EXPECT_GT(least, 0.05 * (one.peak - 200)) << one.algorithm << " " << one.processor;
  }
}

TEST(Estimate, OfDataIsALowerBoundForEveryAlgorithm) {
  for (const auto& algorithm : clrs::catalog()) {
    for (const int length : {16, 40}) {
      const clrs::GenerateOptions options{.seed = 5, .length = length, .samples = 8};
      const auto data = clrs::generate(algorithm, options, 1);
      EXPECT_LT(clrs::least_bytes(algorithm, options), 1.2 * data.bytes()) << algorithm.name;
      double steps = 0;
      for (const auto& sample : data.samples) steps += sample.length() / 8.0;
      EXPECT_LT(clrs::least_steps(algorithm, length), steps) << algorithm.name << " " << length;
    }
  }
}

}  // namespace
}  // namespace npq::train
