#include "npq/clrs/dataset/export.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "npq/base/error.h"
#include "npq/base/formats/npz_writer.h"
#include "npq/base/formats/safetensors_writer.h"

namespace npq::clrs {
namespace {

Dtype dtype_of(const Probe& probe) {
  return probe.number == Number::Int64 ? Dtype::I64 : Dtype::F64;
}

std::map<std::string, std::string> metadata_of(const Dataset& dataset) {
  nlohmann::ordered_json spec = nlohmann::ordered_json::object();
  for (const auto& probe : dataset.samples.front().spec())
    spec[probe.name] = {name_of(probe.stage), name_of(probe.location), name_of(probe.type)};
  const auto& options = dataset.options;
  return {{"algorithm", std::string(dataset.algorithm->name)},
          {"spec", spec.dump()},
          {"generator", options.sampler.generator == Generator::V1 ? "v1" : "head"},
          {"seed", std::to_string(options.seed)},
          {"length", std::to_string(options.length)},
          {"samples", std::to_string(options.samples)}};
}

std::string array_name(const Probe& probe) {
  return fmt::format("{}/{}", name_of(probe.stage), probe.name);
}

using Append = std::function<void(std::span<const std::byte>)>;

/// One array of the file: what it is, and how to hand its bytes over, piece by piece.
struct FileArray {
  std::string name;
  Dtype dtype;
  std::vector<std::int64_t> shape;
  std::function<void(const Append&)> emit;
};

/// All frames of a series, in the number type of its file.
template <class Number>
void emit_series(const Series& series, const Append& append) {
  std::vector<Number> frame(elements(series.probe(), series.nodes()));
  for (int t = 0; t < series.length(); ++t) {
    series.expand(t, frame.data());
    append(std::as_bytes(std::span(frame)));
  }
}

std::vector<FileArray> sample_arrays(const Dataset& dataset) {
  std::vector<FileArray> arrays;
  for (std::size_t k = 0; k < dataset.samples.size(); ++k) {
    const Sample& sample = dataset.samples[k];
    for (std::size_t p = 0; p < sample.spec().size(); ++p) {
      const Probe& probe = sample.spec()[p];
      auto dims = shape(probe, sample.nodes());
      if (probe.stage == Stage::Hint) dims.insert(dims.begin(), sample.length());
      arrays.push_back({fmt::format("{}/{}", k, array_name(probe)), dtype_of(probe), dims,
                        [&sample, &probe, p](const Append& append) {
                          return probe.number == Number::Int64
                                     ? emit_series<std::int64_t>(sample.series(p), append)
                                     : emit_series<double>(sample.series(p), append);
                        }});
    }
    arrays.push_back({fmt::format("{}/length", k), Dtype::I64, {}, [&sample](const Append& append) {
                        const std::int64_t length[] = {sample.length()};
                        append(std::as_bytes(std::span(length)));
                      }});
  }
  return arrays;
}

void emit_padded(const Dataset& dataset, std::size_t p, int steps, const Append& append) {
  const Sample& first = dataset.samples.front();
  std::vector<double> frame(elements(first.spec()[p], first.nodes()));
  const std::vector<double> nothing(frame.size());
  for (int t = 0; t < steps; ++t)
    for (const auto& sample : dataset.samples) {
      const Series series = sample.series(p);
      if (t < series.length()) series.expand(t, frame.data());
      append(std::as_bytes(std::span(t < series.length() ? frame : nothing)));
    }
}

std::vector<FileArray> padded_arrays(const Dataset& dataset) {
  const Spec& spec = dataset.samples.front().spec();
  const auto count = static_cast<std::int64_t>(dataset.samples.size());
  std::vector<FileArray> arrays;
  for (std::size_t p = 0; p < spec.size(); ++p) {
    const bool timed = spec[p].stage == Stage::Hint;
    const int steps = timed ? dataset.longest() : 1;
    auto dims = shape(spec[p], dataset.samples.front().nodes());
    dims.insert(dims.begin(), count);
    if (timed) dims.insert(dims.begin(), steps);
    arrays.push_back(
        {array_name(spec[p]), Dtype::F64, dims,
         [&dataset, p, steps](const Append& append) { emit_padded(dataset, p, steps, append); }});
  }
  arrays.push_back({"lengths", Dtype::F64, {count}, [&dataset](const Append& append) {
                      std::vector<double> lengths;
                      for (const auto& sample : dataset.samples) lengths.push_back(sample.length());
                      append(std::as_bytes(std::span(lengths)));
                    }});
  return arrays;
}

}  // namespace

void export_dataset(const Dataset& dataset, const std::filesystem::path& path, FileFormat format,
                    FileLayout layout, const Progress& progress) {
  const auto arrays =
      layout == FileLayout::Samples ? sample_arrays(dataset) : padded_arrays(dataset);
  const auto report = [&](std::size_t done) {
    if (progress)
      progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(arrays.size()));
  };
  if (format == FileFormat::Safetensors) {
    SafetensorsWriter file(path, metadata_of(dataset));
    for (const auto& array : arrays) file.declare(array.name, array.dtype, array.shape);
    file.begin();
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      arrays[k].emit([&](auto bytes) { file.append(bytes); });
      report(k + 1);
    }
    return file.commit();
  }
  NpzWriter file(path);
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    file.begin_array(arrays[k].name, arrays[k].dtype, arrays[k].shape);
    arrays[k].emit([&](auto bytes) { file.append(bytes); });
    report(k + 1);
  }
  file.commit();
}

}  // namespace npq::clrs
