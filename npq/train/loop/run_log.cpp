#include "npq/train/loop/run_log.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "npq/base/files/metrics_csv.h"

namespace npq::train {
namespace {

void add_numbers(std::vector<Scalar>& scalars, const std::string& prefix,
                 const nlohmann::json& object) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object())
      add_numbers(scalars, prefix + key + "/", value);
    else if (value.is_number() && key != "step" && key != "seconds")
      scalars.push_back({prefix + key, static_cast<float>(value.get<double>())});
  }
}

}  // namespace

RunLog::RunLog(const RunPaths& paths)
    : paths_(paths), metrics_(paths.metrics()), events_(paths.folder) {}

void RunLog::append(const StepReport& report, double seconds) {
  append(nlohmann::json{{"step", report.step},
                        {"loss", report.loss},
                        {"losses", report.losses},
                        {"gradient_norm", report.gradient_norm},
                        {"seconds", seconds}});
}

void RunLog::append(const EvaluationReport& report, const RunKind& kind) {
  nlohmann::json line{{"step", report.step}, {"best", report.best}, {"seconds", report.seconds}};
  line[std::string(kind.validation)] = report.validation;
  if (report.test) line[std::string(kind.test)] = *report.test;
  if (report.epoch) line["epoch"] = *report.epoch;
  line.update(nlohmann::json(report.figures));
  if (!report.scores.empty()) line["scores"] = report.scores;
  if (!report.memory.empty()) line["memory"] = report.memory;
  append(line);
}

void RunLog::append(const nlohmann::json& line) {
  metrics_.append(line.dump());
  std::vector<Scalar> scalars;
  add_numbers(scalars, "", line);
  events_.append(line.at("step").get<std::int64_t>(), scalars);
}

void RunLog::cut_beyond_step(std::int64_t step) {
  metrics_.cut_beyond_step(step);
  events_.cut_beyond_step(step);
}

void RunLog::sync() {
  metrics_.sync();
  events_.sync();
}

void RunLog::write_csv() const {
  write_metrics_csv(paths_.metrics(), paths_.folder / "metrics.csv");
}

}  // namespace npq::train
