// Writes the inputs the fuzzers start from, one folder per target: make_corpus OUT. Sound files,
// made by our own writers, so that mutation begins inside the formats.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "npq/base/error.h"
#include "npq/base/formats/event_record.h"
#include "npq/base/formats/npy.h"
#include "npq/base/formats/npz_writer.h"
#include "npq/base/formats/safetensors_writer.h"
#include "npq/clrs/samplers/inputs_json.h"
#include "npq/lrgb/train_options.h"
#include "npq/train/options.h"
#include "tests/fuzz/json_fuzz.h"
#include "tests/support/pickle_writer.h"

namespace {

using npq::Dtype;
const std::vector<float> kNumbers{1.0f, -2.0f, 0.5f, 4.0f, 5.0f, 6.0f};
const auto kBytes = std::as_bytes(std::span(kNumbers));

void safetensors(const std::filesystem::path& out) {
  std::filesystem::create_directories(out);
  npq::write_safetensors(out / "empty", {});
  const std::vector<npq::NamedTensor> tensors{{"a/weight", Dtype::F32, {2, 3}, kBytes},
                                              {"flags", Dtype::Bool, {4}, kBytes.first(4)},
                                              {"scalar", Dtype::I64, {}, kBytes.first(8)},
                                              {"none", Dtype::F64, {0, 7}, {}}};
  npq::write_safetensors(out / "mixed", tensors, {{"step", "7"}, {"names", "[\"a\"]"}});
}

void npz(const std::filesystem::path& out) {
  using Packing = npq::NpzWriter::Packing;
  std::filesystem::create_directories(out);
  for (const auto packing : {Packing::Stored, Packing::Deflated}) {
    npq::NpzWriter writer(out / (packing == Packing::Stored ? "stored" : "deflated"), packing);
    writer.add("numbers", Dtype::F32, {2, 3}, kBytes);
    writer.add("none", Dtype::I32, {0, 2}, {});
    writer.commit();
  }
  const std::vector<std::int64_t> shape{3, 2};
  npq::AtomicFile array(out / "array");
  array.write(npq::npy_header(Dtype::F32, shape));
  array.write(kBytes);
  array.commit();
}

void pickle(const std::filesystem::path& out, const std::filesystem::path& golden) {
  std::filesystem::create_directories(out);
  for (const auto& entry : std::filesystem::directory_iterator(golden / "peptides/files")) {
    if (entry.path().extension() != ".pickle") continue;
    std::filesystem::copy_file(entry, out / entry.path().filename(),
                               std::filesystem::copy_options::overwrite_existing);
  }
  // What Python's newer protocols no longer write: old forms of objects, texts and numbers.
  npq::write_file(out / "old",
                  "(dp0\nS'a'\np1\n(lp2\nI1\naF1.5\naL7L\naI01\nasVb\n(I1\nI2\ntsg1\n("
                  "cm\nf\nK\x01osS'c'\n(im\nf\ns.");
}

void event_file(const std::filesystem::path& out) {
  std::filesystem::create_directories(out);
  const auto beginning = npq::event_record({.wall_time = 1.5, .file_version = "brain.Event:2"});
  const auto event = npq::event_record(
      {.wall_time = 2.5, .step = 300, .scalars = {{"loss", 0.5f}, {"losses/output/pi", 0.0f}}});
  npq::write_file(out / "file", beginning + event + event);
  npq::write_file(out / "torn", beginning + event.substr(0, event.size() - 5));
  npq::write_file(out / "message", event.substr(12, event.size() - 16));
}

void metrics_csv(const std::filesystem::path& out) {
  std::filesystem::create_directories(out);
  npq::write_file(
      out / "log",
      "{\"step\":0,\"loss\":2.5,\"losses\":{\"output/pi\":1e-3,\"hint/d\":null}}\n"
      "{\"step\":0,\"val\":0.5,\"best\":true,\"note\":\"a \\\"b\\\", c\",\"list\":[1,2]}");
}

/// One file per algorithm: its place in the catalog as a byte, then an input as its help shows it.
void inputs_json(const std::filesystem::path& out) {
  std::filesystem::create_directories(out);
  char place = 0;
  for (const auto& algorithm : npq::clrs::catalog())
    npq::write_file(out / algorithm.name,
                    std::string(1, place++) + npq::clrs::input_format(algorithm));
  npq::write_file(out / "matrix", std::string(1, 20) + R"({"A": [[0, 0.5], [0.5, 0]], "s": 0})");
}

/// One sound text per reader, and what is too deep for all of them.
void json(const std::filesystem::path& out) {
  using npq::fuzz::Reader;
  std::filesystem::create_directories(out);
  const auto add = [&](Reader reader, const char* name, const std::string& text) {
    npq::write_file(out / name, std::string(1, static_cast<char>(reader)) + text);
  };
  auto peptides = npq::lrgb::TrainOptions{};
  peptides.data = "data";
  const auto config = npq::train::to_json(npq::train::TrainOptions{}).dump();
  add(Reader::Config, "config", R"({"hidden": 8, "train-sizes": [4, 7], "about": {"a": null}})");
  add(Reader::TrainOptions, "train_options", config);
  add(Reader::PeptidesOptions, "peptides_options", npq::lrgb::to_json(peptides).dump());
  add(Reader::Metadata, "metadata", config);
  add(Reader::Experiment, "experiment", R"({"title": "T", "seeds": [1], "steps": 5, "sizes": [8],
"flags": {"hidden": 8}, "runs": [{"algorithms": ["bfs"], "processors": ["mpnn"],
"methods": [{"name": "Baseline"}, {"name": "NPQ_W", "flags": {"memory": "npq_w"}}]}]})");
  add(Reader::Plan, "plan", R"({"format": "npq-plan-1", "experiment": "dijkstra", "seeds": [7],
"steps": 20, "sizes": [16], "samples": 4, "only": "NPQ", "set": {"hidden": "8"}})");
  add(Reader::Record, "record", R"({"key": "a/b", "flags": {"hidden": "8"}, "crashes": 1,
"evaluated": {"steps": 5, "sizes": [8], "samples": 4}, "failure": "no", "failed_at": 1.5})");
  add(Reader::RunConfig, "run_config", config);
  const std::string lines = R"({"step":0,"loss":2.5,"losses":{"output/pi":1e-3},"seconds":1}
{"step":9,"val":0.5,"scores":{"pi":0.5},"best":true,"memory":{"alive":3},"seconds":2}
)";
  for (const auto reader : {Reader::Metrics, Reader::MetricsEnd, Reader::MetricsCut})
    add(reader, ("metrics" + std::to_string(static_cast<int>(reader))).c_str(), lines);
  add(Reader::MetricsTable, "metrics_table", R"({"step":0,"losses":{"a":1,"b":[1,2]}})");
  add(Reader::Result, "result", R"({"steps": 20, "best_step": 0, "best_val": 0.5, "seconds": 8})");
  const std::string evaluation = R"({"evaluations": [{"checkpoint": "best", "size": 64,
"samples": 32, "score": {"value": 0.7, "low": 0.5, "high": 1}, "sample_scores": [1, 0.4],
"predictions": [[1], {}]}]})";
  add(Reader::Evaluation, "evaluation", evaluation);
  add(Reader::FurtherEvaluation, "further_evaluation", evaluation);
  add(Reader::ResultFile, "result_file", R"({"format": "npq-result-1", "key": "a", "flags": {},
"steps": 20, "config": {"algorithm": "bfs", "processor": "mpnn", "memory": "none"},
"tests": [{"checkpoint": "best", "size": 64, "samples": 2, "score": {"value": 0.5}}],
"curves": {"loss": [[0, 1.5, 2]], "memory/alive": [[0, 1, 2]]}})");
  add(Reader::Input, "input", R"({"nodes": 3, "edges": [[0, 1, 0.5], [1, 2, 0.7]], "source": 0})");
  add(Reader::Split, "split", R"({"train": [0, 1], "val": [2], "test": [3]})");
  add(Reader::TensorHeader, "tensor_header",
      R"({"__metadata__":{"a":"b"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})");
  add(Reader::Metadata, "deep", R"({"a":)" + std::string(2000, '[') + std::string(2000, ']') + "}");
  add(Reader::Plan, "large_number", R"({"format": "npq-plan-1", "steps": 1e999})");
}

void haiku(const std::filesystem::path& out) {
  std::filesystem::create_directories(out);
  npq::test::PickleWriter writer;
  const auto layer = [&](bool jax) {
    writer.begin_dict().text("net/linear").begin_dict().text("w");
    jax ? writer.jax_array({2, 3}, kNumbers) : writer.array({2, 3}, kNumbers);
    writer.end_dict().end_dict();
  };
  writer.begin_dict().text("params");
  layer(false);
  writer.text("opt_state").begin_tuple();
  writer.global("optax._src.transform", "ScaleByAdamState").begin_tuple().integer(3);
  layer(false);
  layer(true);
  writer.end_tuple().new_object().end_tuple().end_dict();
  npq::write_file(out / "checkpoint", writer.finish());
}

void peptides_csv(const std::filesystem::path& out) {
  std::filesystem::create_directories(out);
  npq::write_file(out / "table", ",smiles,y\r\n0,CC,1.5\n1,\"C,\"\"C\"\"\n\",\n\n2,,\"\"");
}

void peptides_file(const std::filesystem::path& out) {
  std::filesystem::create_directories(out);
  // As the target lays it out: two molecules of one atom each, nothing else but zeros.
  std::string bytes("\2\2\0\1\0\0", 6);
  for (const char begin : {0, 1, 2, 0, 0, 0}) bytes += std::string(1, begin) + std::string(7, '\0');
  bytes += std::string(2 * 11 * 8 + 11 * 8, '\0');
  for (int k = 0; k < 11; ++k) bytes += std::string("\0\0\0\0\0\0\xf0\x3f", 8);  // deviation 1.0
  npq::write_file(out / "inside", bytes + std::string(40, '\0'));
}

/// One call of each kind with what is sound; a call's number comes first.
void calls(const std::filesystem::path& out, int kinds) {
  std::filesystem::create_directories(out);
  for (int call = 0; call < kinds; ++call)
    npq::write_file(out / std::to_string(call),
                    std::string(1, static_cast<char>(call)) + std::string(60, '\0'));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return std::fprintf(stderr, "usage: make_corpus OUT GOLDEN\n"), 2;
  const std::filesystem::path out = arguments[1];
  safetensors(out / "safetensors");
  npz(out / "npz");
  pickle(out / "pickle", arguments[2]);
  event_file(out / "event_file");
  metrics_csv(out / "metrics_csv");
  inputs_json(out / "inputs_json");
  json(out / "json");
  haiku(out / "haiku");
  peptides_csv(out / "peptides_csv");
  peptides_file(out / "peptides_file");
  calls(out / "c_interface", 20);
  calls(out / "c_loops", 3);
}
