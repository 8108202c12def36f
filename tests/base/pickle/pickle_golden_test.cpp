// Pickles that Python wrote: a checkpoint of the public benchmark and look-alikes of the peptides'
// split files.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "npq/base/formats/safetensors.h"
#include "npq/base/pickle/pickle_numpy.h"
#include "tests/support/error_text.h"
#include "tests/support/golden_folder.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using test::golden_file;
using ::testing::HasSubstr;

PickleOptions haiku_options() {
  PickleOptions options{.globals = numpy_globals()};
  options.globals.push_back("optax._src.base.EmptyState");
  options.globals.push_back("optax._src.transform.ScaleByAdamState");
  return options;
}

// The golden numbers are float64 copies of the checkpoint's float32: equal, not near.
void expect_equal(const PickleValue& tree, const SafetensorsFile& golden,
                  const std::string& prefix) {
  const auto names = nlohmann::json::parse(golden.metadata().at("haiku_names"));
  ASSERT_EQ(names.size(), 60u);
  std::size_t leaves = 0;
  for (const auto& [module, parameters] : tree.as_dict("params"))
    leaves += parameters->as_dict("a module").size();
  EXPECT_EQ(leaves, names.size());
  for (const auto& [ours, haiku] : names.items()) {
    const auto text = haiku.get<std::string>();
    const auto blank = text.rfind(' ');
    const PickleValue* module = tree.find(text.substr(0, blank));
    ASSERT_NE(module, nullptr) << text;
    const PickleValue* leaf = module->find(text.substr(blank + 1));
    ASSERT_NE(leaf, nullptr) << text;
    const auto array = numpy_array(*leaf, text);
    EXPECT_EQ(array.shape, golden.at(prefix + ours).shape) << ours;
    const auto numbers = array.values<float>();
    const auto expected = golden.values<double>(prefix + ours);
    EXPECT_EQ(std::vector<double>(numbers.begin(), numbers.end()), expected) << ours;
  }
}

TEST(PickleGolden, TheHaikuCheckpointHoldsTheNumbersOfItsGoldenTwin) {
  const auto pickle = Pickle::open(golden_file("model/haiku_checkpoint.pkl"), haiku_options());
  const auto golden = SafetensorsFile::open(golden_file("model/checkpoint_case.safetensors"));
  expect_equal(*pickle.root().find("params"), golden, "params/");
  const auto chain = pickle.root().find("opt_state")->as_sequence("opt_state");
  ASSERT_EQ(chain.size(), 3u);
  EXPECT_TRUE(chain[0]->is_object("optax._src.base.EmptyState"));
  ASSERT_TRUE(chain[1]->is_object("optax._src.transform.ScaleByAdamState"));
  const auto adam = chain[1]->args->as_sequence("ScaleByAdamState");
  ASSERT_EQ(adam.size(), 3u);
  EXPECT_EQ(numpy_array(*adam[0], "count").values<std::int32_t>().at(0),
            golden.values<double>("adam/count").at(0));
  expect_equal(*adam[1], golden, "adam/m/");
  expect_equal(*adam[2], golden, "adam/v/");
}

TEST(PickleGolden, TheHaikuCheckpointIsRefusedWhereItsOptimiserIsUnknown) {
  EXPECT_THAT(test::error_text([] {
                Pickle::open(golden_file("model/haiku_checkpoint.pkl"),
                             {.globals = numpy_globals()});
              }),
              HasSubstr("wants to call 'optax._src.base.EmptyState'"));
}

TEST(PickleGolden, SplitsAreTheSameInEveryProtocolAndForm) {
  const auto expected =
      nlohmann::json::parse(test::file_content(golden_file("peptides/files/expected.json")))
          .at("split");
  ASSERT_EQ(expected.size(), 3u);
  for (const char* form : {"int32", "lists", "protocol2", "protocol3", "protocol4", "protocol5"}) {
    const auto pickle =
        Pickle::open(golden_file(fmt::format("peptides/files/split_{}.pickle", form)),
                     {.globals = numpy_globals()});
    const auto split = pickle.root().as_dict("the split");
    ASSERT_EQ(split.size(), 3u) << form;
    for (const auto& [part, value] : split) {
      std::vector<std::int64_t> rows;
      if (is_numpy_array(*value)) {
        const auto array = numpy_array(*value, part);
        if (array.dtype == Dtype::I32) {
          for (const auto row : array.values<std::int32_t>()) rows.push_back(row);
        } else {
          rows = array.values<std::int64_t>();
        }
      } else {
        for (const auto* row : value->as_sequence(part)) rows.push_back(row->as_int("a row"));
      }
      EXPECT_EQ(rows, expected.at(std::string(part)).get<std::vector<std::int64_t>>())
          << form << " " << part;
    }
  }
}

}  // namespace
}  // namespace npq
