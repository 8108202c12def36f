// Which runs a report is about: found at any depth, each once.
#include "npq/report/run_set.h"

#include <gmock/gmock.h>

#include "tests/report/made_up_run.h"
#include "tests/support/error_text.h"

namespace npq::report {
namespace {

using npq::test::error_text;
using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(RunSet, FindsRunsAtAnyDepthOnceAndBaselinesFirst) {
  const TemporaryFolder folder;
  MadeUpRun{.memory = "npq_w", .seed = 1}.write(folder / "a/deep/er");
  MadeUpRun{.memory = "none", .seed = 2}.write(folder / "b");
  MadeUpRun{.memory = "none", .seed = 1}.write(folder / "c");
  std::filesystem::create_directory_symlink(folder.path(), folder / "loop");
  const std::vector<std::filesystem::path> asked = {folder.path(), folder / "b"};
  const auto set = read_runs(asked);
  std::vector<std::string> found;
  for (const auto& run : set.runs)
    found.push_back(run.folder.lexically_relative(folder.path()).string());
  EXPECT_THAT(found, ElementsAre("c", "b", "a/deep/er"));
  EXPECT_THAT(set.problems, IsEmpty());
}

TEST(RunSet, ABrokenConfigurationIsOneSentenceAndTheOthersStillAppear) {
  const TemporaryFolder folder;
  MadeUpRun{}.write(folder / "good");
  MadeUpRun{}.write(folder / "cut");
  put_file(folder / "cut/config.json", R"({"algorithm": "dijk)");
  MadeUpRun{}.write(folder / "deep");
  put_file(folder / "deep/config.json", std::string(100000, '['));
  MadeUpRun{}.write(folder / "other");
  put_file(folder / "other/config.json", R"({"model": "something else"})");
  MadeUpRun{}.write(folder / "half");
  std::filesystem::remove(folder / "half/config.json");
  const std::vector<std::filesystem::path> asked = {folder.path(), folder / "missing"};
  const auto set = read_runs(asked);
  EXPECT_THAT(set.runs, SizeIs(1));
  EXPECT_THAT(set.problems,
              ElementsAre(HasSubstr("cut/config.json' is malformed JSON"),
                          HasSubstr("deep/config.json' is nested more than 32 deep"),
                          HasSubstr("half' is not a run folder: it has no config.json"),
                          HasSubstr("other/config.json' does not name its algorithm"),
                          HasSubstr("there is no folder")));
}

TEST(RunSet, TheSameModelWithTheSameSeedCountsOnce) {
  const TemporaryFolder folder;
  MadeUpRun{.seed = 1, .metrics = log_of(0.5, 0.25)}.write(folder / "a");
  MadeUpRun{.seed = 1, .metrics = log_of(0.5, 0.25)}.write(folder / "b");
  MadeUpRun{.seed = 2, .metrics = log_of(0.5, 0.25)}.write(folder / "c");
  const std::vector<std::filesystem::path> asked = {folder.path()};
  auto set = read_runs(asked);
  EXPECT_THAT(set.runs, SizeIs(2));
  EXPECT_THAT(set.problems, IsEmpty());

  // Another number: still one, and it is said. The one that went on longer is shown.
  const auto longer = log_of(0.5, 0.75) + "{\"step\":15,\"loss\":1}\n";
  MadeUpRun{.seed = 1, .metrics = longer}.write(folder / "b");
  set = read_runs(asked);
  ASSERT_THAT(set.runs, SizeIs(2));
  EXPECT_EQ(set.runs[0].folder, folder / "b");
  EXPECT_THAT(set.problems, ElementsAre(HasSubstr("/a' are the same model with the same seed")));
}

TEST(RunSet, ARunAndItsOlderTwinThatDoesNotNameThePresetCountOnce) {
  const TemporaryFolder folder;
  MadeUpRun{.metrics = log_of(0.5, 0.25)}.write(folder / "a");
  MadeUpRun{.metrics = log_of(0.5, 0.25), .more = R"(, "preset": "paper")"}.write(folder / "b");
  EXPECT_THAT(read_runs(std::vector<std::filesystem::path>{folder.path()}).runs, SizeIs(1));
}

TEST(RunSet, AnEmptyFolderIsOneClearSentence) {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> asked = {folder.path()};
  EXPECT_THAT(error_text([&] { read_runs(asked); }),
              AllOf(HasSubstr("there is no run in '"), Not(HasSubstr("--out"))));
  const std::vector<std::filesystem::path> missing = {folder / "missing"};
  EXPECT_THAT(error_text([&] { read_runs(missing); }), HasSubstr("there is no folder '"));
}

}  // namespace
}  // namespace npq::report
