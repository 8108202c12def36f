// Every tensor of every golden file of the 30 algorithms, regenerated from the seed alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/base/formats/safetensors.h"
#include "npq/base/formats/sha256.h"
#include "npq/clrs/dataset/dataset.h"

namespace npq::clrs {
namespace {

const std::string kGolden = NPQ_TESTS_DIR "/golden/clrs/";

/// x, y and atans come from sin, cos and atan2 of the C library; the README of the golden data
/// gives the bounds.
double tolerance(const Algorithm& algorithm, const std::string& name) {
  if (algorithm.family != Family::Geometry || algorithm.name == "segments_intersect") return 0;
  if (name == "x" || name == "y") return 1e-14;
  return name == "atans" ? 1e-12 : 0;
}

template <class Number>
std::vector<Number> all_frames(const Series& series) {
  const auto width = elements(series.probe(), series.nodes());
  std::vector<Number> frames(width * series.length());
  for (int t = 0; t < series.length(); ++t) series.expand(t, frames.data() + t * width);
  return frames;
}

template <class Number>
void expect_equal(const std::vector<Number>& found, const std::vector<Number>& golden, double bound,
                  const std::string& name) {
  ASSERT_EQ(found.size(), golden.size()) << name;
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_LE(std::abs(static_cast<double>(found[i] - golden[i])), bound)
        << name << ", element " << i;
}

template <class Number>
void compare(const SafetensorsFile& file, const std::string& name, const Series& series,
             int kept_steps, double bound) {
  const auto golden = file.values<Number>(name);
  auto found = all_frames<Number>(series);
  if (kept_steps >
      0) {  // a long trace: the file has its first and last steps, and the hash of all of it
    if (bound == 0) {
      EXPECT_EQ(sha256_hex(std::as_bytes(std::span(found))), file.metadata().at("sha256/" + name));
    }
    const auto part = kept_steps * elements(series.probe(), series.nodes());
    found.erase(found.begin() + part, found.end() - part);
  }
  expect_equal(found, golden, bound, name);
}

class GoldenTraces : public testing::TestWithParam<const Algorithm*> {};

TEST_P(GoldenTraces, AreReproducedFromTheSeedAlone) {
  const Algorithm& algorithm = *GetParam();
  const auto file = SafetensorsFile::open(kGolden + std::string(algorithm.name) + ".safetensors");
  const auto stored = nlohmann::json::parse(file.metadata().at("stored"));
  const auto shortened = nlohmann::json::parse(file.metadata().at("shortened"));
  std::size_t compared = 0;
  for (const Split split : kSplits) {
    const std::string split_name(name_of(split));
    auto options = official_split(algorithm, split);
    options.samples = stored.at(split_name).get<std::int64_t>();
    const auto dataset = generate(algorithm, options);
    for (std::size_t k = 0; k < dataset.samples.size(); ++k) {
      const Sample& sample = dataset.samples[k];
      const auto id = fmt::format("{}/{}", split_name, k);
      const int kept = shortened.contains(id) ? shortened.at(id).get<int>() : 0;
      EXPECT_EQ(file.values<std::int64_t>(id + "/length"),
                std::vector<std::int64_t>{sample.length()});
      ++compared;
      for (std::size_t p = 0; p < sample.spec().size(); ++p) {
        const Series series = sample.series(p);
        const auto& probe = series.probe();
        const auto name = fmt::format("{}/{}/{}", id, name_of(probe.stage), probe.name);
        const int kept_steps = probe.stage == Stage::Hint ? kept : 0;
        if (probe.number == Number::Int64)
          compare<std::int64_t>(file, name, series, kept_steps, 0);
        else
          compare<double>(file, name, series, kept_steps, tolerance(algorithm, probe.name));
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, file.tensors().size()) << "the file holds tensors that were not compared";
}

TEST_P(GoldenTraces, HaveTheBenchmarksSpecInItsOrder) {
  const Algorithm& algorithm = *GetParam();
  const auto file = SafetensorsFile::open(kGolden + std::string(algorithm.name) + ".safetensors");
  const auto golden = nlohmann::ordered_json::parse(file.metadata().at("spec"));
  nlohmann::ordered_json found = nlohmann::ordered_json::object();
  for (const auto& probe : algorithm.spec())
    found[probe.name] = {name_of(probe.stage), name_of(probe.location), name_of(probe.type)};
  EXPECT_EQ(found.dump(), golden.dump());
}

std::vector<const Algorithm*> all_algorithms() {
  std::vector<const Algorithm*> all;
  for (const auto& algorithm : catalog()) all.push_back(&algorithm);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Clrs30, GoldenTraces, testing::ValuesIn(all_algorithms()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace npq::clrs
