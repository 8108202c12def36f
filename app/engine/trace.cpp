// npq trace: one sample of a trained model, step by step, as a page or as JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/engine/engine.h"
#include "npq/base/atomic_file.h"
#include "npq/base/error.h"
#include "npq/report/trace_page.h"
#include "npq/train/microscope.h"
#include "npq/train/stored_model.h"

namespace npq::app {

int run_trace(const TraceCommand& command) {
  use_threads(command.threads);
  const auto which = train::find_which(command.which);
  if (which == train::Which::Both)
    throw UsageError("--which is both; expected best or last, one model is looked at");
  const auto model = train::find_models(command.run, which).front();
  const auto network = train::load_network(model);
  const auto& algorithm = network->task.algorithm();
  auto sampler = network->task.test_set(command.nodes);
  sampler.samples = 1;
  sampler.seed = command.seed;
  sampler.validate(algorithm);
  const auto data = clrs::generate(algorithm, sampler);

  auto trace = train::look_closely(*network, data.samples.front());
  const auto& options = model.options;
  trace["algorithm"] = algorithm.name;
  trace["processor"] = options.model.processor.name;
  trace["memory"] = options.memory.name;
  trace["run"] = command.run;
  trace["checkpoint"] = model.name;
  trace["update"] = model.step;
  trace["seed"] = command.seed;
  if (command.json) {
    fmt::print("{}\n", trace.dump());
    return 0;
  }
  trace["title"] = fmt::format("{} under the microscope", algorithm.name);
  trace["about"] = {
      fmt::format("{}, memory {}: {} of {}, after update {}", options.model.processor.name,
                  options.memory.name, model.name, command.run, model.step),
      fmt::format("A test sample of {} nodes, seed {}; npq {}", trace["nodes"].get<int>(),
                  command.seed, NPQ_VERSION)};
  write_file(command.out, report::trace_page(trace));
  fmt::print("{}\n", command.out);
  return 0;
}

}  // namespace npq::app
