#include "npq/train/loop/run_log.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "npq/base/files/metrics_csv.h"

namespace npq::train {
namespace {

Scalar scalar(const std::string& tag, double value) { return {tag, static_cast<float>(value)}; }

void add(std::vector<Scalar>& scalars, const std::string& prefix,
         const std::map<std::string, double>& values) {
  for (const auto& [name, value] : values) scalars.push_back(scalar(prefix + name, value));
}

void add_numbers(std::vector<Scalar>& scalars, const std::string& prefix,
                 const nlohmann::json& object) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object())
      add_numbers(scalars, prefix + key + "/", value);
    else if (value.is_number() && key != "step" && key != "seconds")
      scalars.push_back(scalar(prefix + key, value.get<double>()));
  }
}

}  // namespace

RunLog::RunLog(const RunPaths& paths)
    : paths_(paths), metrics_(paths.metrics()), events_(paths.folder) {}

void RunLog::append(const StepReport& report, double seconds) {
  const nlohmann::json line{{"step", report.step},
                            {"loss", report.loss},
                            {"losses", report.losses},
                            {"gradient_norm", report.gradient_norm},
                            {"seconds", seconds}};
  metrics_.append(line.dump());
  std::vector<Scalar> scalars = {scalar("loss", report.loss),
                                 scalar("gradient_norm", report.gradient_norm)};
  add(scalars, "losses/", report.losses);
  events_.append(report.step, scalars);
}

void RunLog::append(const EvaluationReport& report) {
  nlohmann::json line{{"step", report.step},
                      {"val", report.score},
                      {"scores", report.scores},
                      {"best", report.best},
                      {"seconds", report.seconds}};
  if (!report.memory.empty()) line["memory"] = report.memory;
  metrics_.append(line.dump());
  std::vector<Scalar> scalars = {scalar("val", report.score)};
  add(scalars, "scores/", report.scores);
  add(scalars, "memory/", report.memory);
  events_.append(report.step, scalars);
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
