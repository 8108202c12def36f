#pragma once
#include <string>
#include <vector>

#include "npq/report/run.h"

namespace npq::report {

/// Finished runs of one model, made up: seed k + 1 has the k-th score on graphs of `size` nodes. On
/// peptides the scores are errors.
struct MadeUpModel {
  std::string memory = "none";
  std::vector<double> scores;
  std::string algorithm = "dijkstra";
  std::int64_t size = 64;
  std::int64_t steps = 2000;
  double drained = -1;  // share of its strength that a queue loses per step; -1: not looked at
  bool finished = true;
  std::vector<std::vector<double>> graphs = {};  // per seed the scores of single graphs

  std::vector<Run> runs() const {
    std::vector<Run> all;
    for (std::size_t k = 0; k < scores.size(); ++k) {
      Run run;
      run.algorithm = algorithm;
      run.processor = algorithm == "peptides" ? "gcn" : "mpnn";
      run.memory = memory;
      run.seed = static_cast<std::int64_t>(k) + 1;
      run.options = {{"algorithm", algorithm}, {"memory", memory}};
      run.steps_asked = run.steps_done = steps;
      run.finished = finished;
      if (algorithm == kPeptides) {
        run.epochs = steps;
        run.data = "generated";
        run.options["layer"] = memory == "none" ? "plain" : "full";
      }
      run.best = Point{.step = 1, .value = scores[k]};
      if (drained >= 0) run.health["drained"] = {{1, 1, drained}};
      if (size >= 0)
        run.tests = {{.checkpoint = "best",
                      .size = algorithm == kPeptides ? kOwnTestSet : size,
                      .score = scores[k]}};
      if (!graphs.empty()) run.tests[0].sample_scores = graphs[k];
      all.push_back(std::move(run));
    }
    return all;
  }
};

inline std::vector<Run> runs_of(const std::vector<MadeUpModel>& models) {
  std::vector<Run> all;
  for (const auto& model : models)
    for (auto& run : model.runs()) all.push_back(std::move(run));
  return all;
}

}  // namespace npq::report
