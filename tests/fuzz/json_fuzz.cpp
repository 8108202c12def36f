// Any text, given to any reader of JSON, is either what the reader expects or one npq::Error whose
// words are ours: no exception of the library, no depth that exhausts the stack, no text that takes
// seconds (-timeout) or gigabytes (-rss_limit_mb). The first byte chooses the reader.
#include "tests/fuzz/json_fuzz.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "app/config_values.h"
#include "npq/base/files/json_file.h"
#include "npq/base/files/line_log.h"
#include "npq/base/files/metrics_csv.h"
#include "npq/base/formats/safetensors_header.h"
#include "npq/clrs/samplers/inputs_json.h"
#include "npq/experiment/evaluation.h"
#include "npq/experiment/experiment.h"
#include "npq/experiment/plan.h"
#include "npq/experiment/plan_file.h"
#include "npq/experiment/progress.h"
#include "npq/experiment/record.h"
#include "npq/lrgb/train_options.h"
#include "npq/peptides/split.h"
#include "npq/report/result_file.h"
#include "npq/report/run.h"
#include "npq/train/checkpoints/state_fields.h"
#include "npq/train/options.h"

namespace npq::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder in memory, removed at the end.
const fs::path& folder() {
  static const struct Folder {
    fs::path path = fs::path("/dev/shm") / ("npq_json_fuzz_" + std::to_string(getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  } made;
  return made.path;
}

fs::path put(const std::string& name, std::string_view text) {
  const auto path = folder() / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

constexpr const char* kSoundConfig =
    R"({"algorithm": "dijkstra", "processor": "mpnn", "memory": "none"})";

/// A run folder in which one file is the text.
void read_folder(const std::string& name, std::string_view text) {
  const auto run = "run_" + name + "/";
  put(run + "config.json", kSoundConfig);
  put(run + name, text);
  report::read_run(folder() / run);
}

void read_further_evaluation(std::string_view text) {
  constexpr const char* kSound = R"({"evaluations": [{"size": 8}, {"size": 16}]})";
  experiment::add_evaluation(put("further/part", text), put("further/whole", kSound), {8});
}

const experiment::PlannedRun& planned() {
  static const experiment::PlannedRun run{.algorithm = "dijkstra"};
  return run;
}

void read(Reader reader, const std::string& text) {
  switch (reader) {
    case Reader::Config:
      app::config_values(text, "fuzz");
      return;
    case Reader::TrainOptions:
      train::train_options(parse_json_object(text, "fuzz"), "fuzz");
      return;
    case Reader::PeptidesOptions:
      lrgb::train_options(parse_json_object(text, "fuzz"), "fuzz");
      return;
    case Reader::Metadata:
      train::check_same_run(nlohmann::json::object({{"hidden", 3}}), {{"config", text}}, {},
                            "fuzz");
      return;
    case Reader::Experiment:
      experiment::parse_experiment("fuzz", text, "fuzz");
      return;
    case Reader::Plan:
      put("plan/plan.json", text);
      experiment::read_plan_options(folder() / "plan", "dijkstra");
      return;
    case Reader::Record:
      put("record/experiment.json", text);
      experiment::read_record(folder() / "record");
      return;
    case Reader::RunConfig:
      return read_folder("config.json", text);
    case Reader::Metrics:
      return read_folder("metrics.jsonl", text);
    case Reader::MetricsEnd:
      experiment::last_progress(put("end/metrics.jsonl", text), planned());
      return;
    case Reader::MetricsCut:
      LineLog(put("cut/metrics.jsonl", text)).cut_beyond_step(3);
      return;
    case Reader::MetricsTable:
      metrics_csv(std::vector{text}, "fuzz");
      return;
    case Reader::Result:
      return read_folder("result.json", text);
    case Reader::Evaluation:
      return read_folder("evaluation.json", text);
    case Reader::FurtherEvaluation:
      return read_further_evaluation(text);
    case Reader::ResultFile:
      report::read_result_file(put("results/seed1.json", text));
      return;
    case Reader::Input:
      clrs::parse_inputs(clrs::find_algorithm("dijkstra"), text, "fuzz");
      return;
    case Reader::Split:
      peptides::read_split(put("split.json", text));
      return;
    case Reader::TensorHeader:
      parse_safetensors_header(text, "fuzz");
      return;
    case Reader::Count:
      return;
  }
}

}  // namespace
}  // namespace npq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto reader =
      static_cast<npq::fuzz::Reader>(data[0] % static_cast<unsigned>(npq::fuzz::Reader::Count));
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    npq::fuzz::read(reader, text);
  } catch (const npq::Error& error) {
    // What is not the fuzzer's own must not be in the message either.
    constexpr std::string_view kName = "json.exception";
    NPQ_ASSERT(std::string_view(error.what()).find(kName) == std::string_view::npos ||
               text.find(kName) != std::string::npos);
  }
  return 0;
}
