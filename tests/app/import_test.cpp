// npq import haiku, as a user calls it.
#include <gmock/gmock.h>

#include <algorithm>

#include "npq/base/formats/safetensors.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kPickle = NPQ_TESTS_DIR "/golden/model/haiku_checkpoint.pkl";

TEST(ImportHaiku, WritesACheckpointThatCanBeEvaluated) {
  const test::TemporaryFolder folder;
  const auto out = (folder / "x.safetensors").string();
  const auto imported = run_npq({"import", "haiku", kPickle, "--out", out});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.out,
              AllOf(HasSubstr("dijkstra, mpnn, memory none, hidden size 16, 7174 parameters"),
                    HasSubstr("Adam's state after 3 updates"), HasSubstr("note: the weights fit")));
  const auto evaluated = run_npq({"evaluate", out, "--sizes", "8", "--samples", "2"});
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_NE(SafetensorsFile::open(out).find("adam/m/processor/m1.w"), nullptr);
}

TEST(ImportHaiku, AHostilePickleIsRefusedAndLeavesNoFile) {
  const test::TemporaryFolder folder;
  const auto trap = (folder / "trap").string(), out = (folder / "x.safetensors").string();
  test::put_file(folder / "evil.pkl", test::PickleWriter()
                                          .global("os", "system")
                                          .begin_tuple()
                                          .text("touch " + trap)
                                          .end_tuple()
                                          .reduce()
                                          .finish());
  const auto answer = run_npq({"import", "haiku", (folder / "evil.pkl").string(), "--out", out});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.err, HasSubstr("os.system"));
  EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
  EXPECT_EQ(test::entries_in(folder.path()), 1);
}

TEST(ImportHaiku, NamesNobodyKnowsAreUsageErrors) {
  const auto answer = run_npq({"import", "haiku", kPickle, "--out", "x", "--processor", "mpn"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_THAT(answer.err, HasSubstr("did you mean 'mpnn'"));
}

}  // namespace
}  // namespace npq::test
