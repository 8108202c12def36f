#include "npq/model/options.h"

#include <gmock/gmock.h>

#include "tests/support/error_text.h"

namespace npq::test {
namespace {

using ::testing::HasSubstr;

std::string complaint(void (*change)(model::ModelOptions&)) {
  model::ModelOptions options;
  change(options);
  return error_text([&] { options.validate(); });
}

TEST(ModelOptions, TheDefaultsAreTheBenchmarksAndValid) {
  const model::ModelOptions options;
  EXPECT_NO_THROW(options.validate());
  EXPECT_EQ(options.hidden, 128);
  EXPECT_EQ(name_of_choice(model::kHintModes, options.hint_mode), "encoded_decoded");
  EXPECT_EQ(name_of_choice(model::kRepredModes, options.repred_mode), "soft");
  EXPECT_EQ(options.processor.name, "mpnn");
}

TEST(ModelOptions, EveryFieldOutOfRangeIsNamed) {
  EXPECT_THAT(complaint([](auto& o) { o.hidden = 0; }),
              HasSubstr("--hidden is 0; expected at least 1"));
  EXPECT_THAT(complaint([](auto& o) { o.teacher_forcing = 1.5; }),
              HasSubstr("--teacher-forcing is 1.5; expected 0 to 1"));
  EXPECT_THAT(complaint([](auto& o) { o.dropout = 1; }),
              HasSubstr("--dropout is 1; expected at least 0 and less than 1"));
  EXPECT_THAT(complaint([](auto& o) { o.message_steps = 0; }), HasSubstr("--message-steps is 0"));
  EXPECT_THAT(complaint([](auto& o) { o.processor.heads = 0; }), HasSubstr("heads is 0"));
  EXPECT_THAT(complaint([](auto& o) { o.processor.triplet_fts = 0; }),
              HasSubstr("--triplet-features is 0"));
}

TEST(ModelOptions, HeadsMustDivideTheHiddenSizeOfAttentionAlone) {
  EXPECT_THAT(complaint([](auto& o) {
                o.processor.name = "gat";
                o.processor.heads = 3;
              }),
              HasSubstr("3 attention heads cannot share a hidden size of 128"));
  model::ModelOptions options;
  options.processor.heads = 3;
  EXPECT_NO_THROW(options.validate());
}

TEST(ModelOptions, AnUnknownNameBringsTheNearestKnownOne) {
  EXPECT_THAT(complaint([](auto& o) { o.processor.name = "gatv3"; }),
              HasSubstr("no processor 'gatv3'; did you mean 'gatv2'?"));
  EXPECT_THAT(error_text([] { choice_named("hint mode", model::kHintModes, "non"); }),
              HasSubstr("no hint mode 'non'; did you mean 'none'?"));
}

}  // namespace
}  // namespace npq::test
