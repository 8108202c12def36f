#include "npq/train/checkpoints/checkpoint.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/base/formats/safetensors_writer.h"
#include "npq/train/checkpoints/state_fields.h"
#include "npq/train/network.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq::train {
namespace {

using test::error_text;
using test::file_content;
using test::put_file;
using ::testing::AnyOf;
using ::testing::HasSubstr;

TrainOptions small(const std::string& algorithm, std::int64_t hidden = 4) {
  TrainOptions options;
  options.algorithm = algorithm;
  options.model.hidden = hidden;
  return options;
}

class Checkpoint : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return folder_ / "model.safetensors"; }
  void save(const TrainOptions& options) const {
    save_tensors(path(), tensors_of(Network(options).store), {});
  }
  std::string refusal(const TrainOptions& options = small("bfs")) const {
    const Network network(options);
    return error_text([&] { load_parameters(path(), network.store); });
  }

  test::TemporaryFolder folder_;
};

TEST_F(Checkpoint, TensorsComeBackBitByBitWithTheirMetadata) {
  const auto floats = at::arange(6, at::kFloat).reshape({2, 3});
  const auto turned = floats.transpose(0, 1);  // not contiguous
  const auto whole = at::arange(3, at::kLong);
  save_tensors(path(), {{"floats", floats}, {"turned", turned}, {"whole", whole}}, {{"step", "7"}});
  const auto loaded = load_tensors(path());
  EXPECT_TRUE(loaded.tensors.at("floats").equal(floats));
  EXPECT_TRUE(loaded.tensors.at("turned").equal(turned));
  EXPECT_TRUE(loaded.tensors.at("whole").equal(whole));
  EXPECT_EQ(loaded.metadata.at("step"), "7");
}

TEST_F(Checkpoint, AnOlderStateThatDoesNotNameItsPresetBelongsToItsRun) {
  auto older = to_json(small("bfs"));
  older.erase("preset");
  EXPECT_NO_THROW(check_same_run(to_json(small("bfs")), {{"config", older.dump()}}, {}, path()));
}

TEST_F(Checkpoint, AnotherNetworksParametersBecomeTheSame) {
  auto options = small("bfs");
  save(options);
  options.seed = 2;
  const Network network(options);
  load_parameters(path(), network.store);
  options.seed = 1;
  const Network original(options);
  for (const auto& entry : original.store)
    EXPECT_TRUE(network.store.at(entry.name).equal(entry.value)) << entry.name;
}

TEST_F(Checkpoint, AnyFlippedBitIsNoticed) {
  save(small("bfs"));
  const auto whole = file_content(path());
  for (std::size_t at = 0; at < whole.size(); at += 61) {
    auto flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    put_file(path(), flipped);
    // Where the header is still one, the checksum tells.
    EXPECT_THAT(refusal(), AnyOf(HasSubstr("does not have the checksum"),
                                 HasSubstr("is not a sound safetensors file"),
                                 HasSubstr("is not a file of this program")))
        << "byte " << at;
  }
}

TEST_F(Checkpoint, ATruncatedFileIsOneSentence) {
  save(small("bfs"));
  const auto whole = file_content(path());
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{7}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    put_file(path(), whole.substr(0, size));
    EXPECT_THAT(refusal(), HasSubstr("model.safetensors")) << size;
  }
}

TEST_F(Checkpoint, AFileOfAnotherProgramIsRefused) {
  const float number = 1;
  write_safetensors(
      path(),
      std::vector<NamedTensor>{{"x", Dtype::F32, {1}, std::as_bytes(std::span(&number, 1))}}, {});
  EXPECT_THAT(refusal(), HasSubstr("is not a file of this program"));
}

TEST_F(Checkpoint, AnotherShapeAndAnotherAlgorithmAreNamed) {
  save(small("bfs", 6));
  EXPECT_THAT(refusal(), HasSubstr("it was trained with other sizes"));
  save(small("dijkstra"));
  EXPECT_THAT(refusal(), HasSubstr("it belongs to another model"));
  save(small("bfs"));
  EXPECT_THAT(refusal(small("dijkstra")), HasSubstr("which this model needs"));
}

TEST_F(Checkpoint, ARefusedFileChangesNoParameter) {
  save(small("bfs", 6));
  const Network network(small("bfs")), fresh(small("bfs"));
  error_text([&] { load_parameters(path(), network.store); });
  for (const auto& entry : fresh.store)
    EXPECT_TRUE(network.store.at(entry.name).equal(entry.value)) << entry.name;
}

}  // namespace
}  // namespace npq::train
