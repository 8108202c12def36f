#include <gmock/gmock.h>

#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/haiku/haiku_cases.h"

namespace npq::train {
namespace {

using test::error_text;
using test::file_content;
using test::PickleWriter;
using test::put_file;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const std::string& content) {
  const TemporaryFolder folder;
  put_file(folder / "x.pkl", content);
  const auto text = error_text([&] { read_haiku_checkpoint(folder / "x.pkl", {}); });
  EXPECT_THAT(text, HasSubstr("x.pkl'"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("\n")));
  return text;
}

TEST(HaikuImport, ArraysThatAreMissingMisshapenOrTooManyAreNamed) {
  const auto good = arrays_for(options_for("bfs", "mpnn"));
  auto missing = good;
  missing["net/mpnn_aggr_clrs_processor/mlp/~/linear_1"].erase("b");
  EXPECT_THAT(refusal(pickle_of(missing)),
              AllOf(HasSubstr("linear_1 b' is missing"), HasSubstr("our 'processor/mlp1.b'")));
  auto misshapen = good;
  misshapen["net/mpnn_aggr_clrs_processor/linear"]["w"] = {{2, 3}, std::vector<float>(6)};
  EXPECT_THAT(refusal(pickle_of(misshapen)), HasSubstr("has shape [2, 3]; expected [16, 8]"));
  auto more = good;
  more["net/surprise"]["w"] = {{1}, {1}};
  EXPECT_THAT(refusal(pickle_of(more)), HasSubstr("'net/surprise' belongs to no part"));
  auto several = good;
  several["net/~_construct_encoders_decoders/algo_1_pos_enc_linear"]["b"] = {{1}, {1}};
  EXPECT_THAT(refusal(pickle_of(several)), HasSubstr("trained on several algorithms"));
}

TEST(HaikuImport, ForeignPicklesAreRefusedInOneSentence) {
  EXPECT_THAT(refusal(PickleWriter().text("hello").finish()),
              AllOf(HasSubstr("not a checkpoint of the benchmark"), HasSubstr("a text")));
  EXPECT_THAT(refusal(PickleWriter().begin_dict().text("a").text("b").end_dict().finish()),
              HasSubstr("no 'params'"));
  EXPECT_THAT(refusal(PickleWriter()
                          .begin_dict()
                          .text("params")
                          .begin_dict()
                          .text("layer")
                          .begin_dict()
                          .text("w")
                          .array({1}, {1})
                          .end_dict()
                          .end_dict()
                          .end_dict()
                          .finish()),
              HasSubstr("it belongs to another program"));
  EXPECT_THAT(refusal(PickleWriter().begin_dict().text("params").text("none").end_dict().finish()),
              HasSubstr("params of a pickle is a text"));
}

TEST(HaikuImport, AnOptimiserStateOfAnotherFormIsRefused) {
  PickleWriter out;
  out.begin_dict().text("params").begin_dict().end_dict().text("opt_state");
  out.global("optax._src.transform", "ScaleByAdamState").begin_tuple().integer(3).end_tuple();
  EXPECT_THAT(refusal(out.new_object().end_dict().finish()),
              HasSubstr("Adam's state has 1 parts; expected 3"));
}

TEST(HaikuImport, HostilePicklesRunNothing) {
  const TemporaryFolder folder;
  const auto trap = (folder / "trap").string();
  EXPECT_THAT(refusal(PickleWriter()
                          .global("os", "system")
                          .begin_tuple()
                          .text("touch " + trap)
                          .end_tuple()
                          .reduce()
                          .finish()),
              AllOf(HasSubstr("os.system"), HasSubstr("nothing was run")));
  EXPECT_FALSE(std::filesystem::exists(trap));
}

TEST(HaikuImport, ATruncatedOrChangedPickleNeverCrashes) {
  const TemporaryFolder folder;
  const auto whole = file_content(kPickle);
  for (std::size_t size = 0; size < whole.size(); size += 977) {
    put_file(folder / "x.pkl", whole.substr(0, size));
    EXPECT_THROW(read_haiku_checkpoint(folder / "x.pkl", {}), Error) << size;
  }
  for (std::size_t at = 0; at < whole.size(); at += 997) {
    auto changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    put_file(folder / "x.pkl", changed);
    try {
      read_haiku_checkpoint(folder / "x.pkl", {});  // a number may have changed: that is no damage
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace npq::train
