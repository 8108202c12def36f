#include "npq/base/files/run_folder.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using test::error_text;
using test::put_file;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Another process that holds the lock of a run folder until it is killed.
class OtherProcess {
 public:
  explicit OtherProcess(const std::filesystem::path& folder) {
    std::array<int, 2> ready;
    EXPECT_EQ(pipe(ready.data()), 0);
    child_ = fork();
    if (child_ == 0) {
      const auto run = RunFolder::create(folder);
      if (write(ready[1], "x", 1) != 1) _exit(1);
      for (;;) pause();
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
  }
  ~OtherProcess() { kill_now(); }

  void kill_now() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }

 private:
  pid_t child_ = 0;
};

TEST(RunFolder, KeepsItsFilesUnderTheNamesUsersKnow) {
  const RunPaths paths{"runs/a"};
  EXPECT_EQ(paths.config(), "runs/a/config.json");
  EXPECT_EQ(paths.metrics(), "runs/a/metrics.jsonl");
  EXPECT_EQ(paths.best(), "runs/a/best.safetensors");
  EXPECT_EQ(paths.last(), "runs/a/last.safetensors");
  EXPECT_EQ(paths.average(), "runs/a/average.safetensors");
  EXPECT_EQ(paths.state(), "runs/a/state.safetensors");
  EXPECT_EQ(paths.result(), "runs/a/result.json");
}

TEST(RunFolder, MakesTheFolderWithItsParents) {
  const TemporaryFolder folder;
  const auto run = RunFolder::create(folder / "a/b");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b"));
  EXPECT_EQ(run.paths().folder, folder / "a/b");
}

TEST(RunFolder, StartsNoRunWhereOneIs) {
  const TemporaryFolder folder;
  put_file(folder / "config.json", "{}");
  EXPECT_THAT(error_text([&] { RunFolder::create(folder.path()); }),
              HasSubstr("already holds a run; continue it with --resume "));
}

TEST(RunFolder, ResumesOnlyARun) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_text([&] { RunFolder::resume(folder / "missing"); }),
              HasSubstr("there is no run folder '"));
  EXPECT_THAT(error_text([&] { RunFolder::resume(folder.path()); }),
              HasSubstr("is not a run folder: it has no config.json"));
  put_file(folder / "config.json", "{}");
  EXPECT_EQ(RunFolder::resume(folder.path()).paths().config(), folder / "config.json");
}

TEST(RunFolder, IsWrittenByOneProcessAtATimeAndFreeAgainWhenThatIsKilled) {
  const TemporaryFolder folder;
  OtherProcess other(folder.path());
  const auto refusal = error_text([&] { RunFolder::create(folder.path()); });
  EXPECT_THAT(refusal, AllOf(HasSubstr("another process is writing the run folder '"),
                             HasSubstr(folder.path().string())));
  put_file(folder / "config.json", "{}");
  EXPECT_EQ(error_text([&] { RunFolder::resume(folder.path()); }), refusal);
  other.kill_now();
  EXPECT_NO_THROW(RunFolder::resume(folder.path()));
}

TEST(RunFolder, IsFreeAgainAfterTheObjectIsGone) {
  const TemporaryFolder folder;
  {
    auto run = RunFolder::create(folder.path());
    const RunFolder moved = std::move(run);
    EXPECT_THROW(RunFolder::create(folder.path()), Error);
  }
  EXPECT_NO_THROW(RunFolder::create(folder.path()));
}

TEST(RunFolder, IsOneSentenceWhereNoFolderCanBe) {
  const TemporaryFolder folder;
  put_file(folder / "file", "");
  EXPECT_THAT(error_text([&] { RunFolder::create(folder / "file/run"); }),
              HasSubstr("Not a directory; "));
  EXPECT_THAT(error_text([&] { RunFolder::create(folder / "file"); }),
              HasSubstr("file': Not a directory; "));
}

}  // namespace
}  // namespace npq
