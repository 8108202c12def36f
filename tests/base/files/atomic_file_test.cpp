#include "npq/base/files/atomic_file.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/error_text.h"
#include "tests/support/small_disk.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using test::entries_in;
using test::error_text;
using test::file_content;
using test::put_file;
using test::SmallDisk;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(AtomicFile, AppearsOnlyWithCommitAndThenWhole) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a.txt");
  file.write("one ");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
  file.write("two");
  EXPECT_EQ(file.size(), 7u);
  file.commit();
  EXPECT_EQ(file_content(folder / "a.txt"), "one two");
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(AtomicFile, KeepsTheOldContentAndLeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "old");
  { AtomicFile(folder / "a.txt").write("new"); }
  EXPECT_EQ(file_content(folder / "a.txt"), "old");
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(AtomicFile, ReplacesTheOldContent) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "old and longer");
  write_file(folder / "a.txt", "new");
  EXPECT_EQ(file_content(folder / "a.txt"), "new");
}

TEST(AtomicFile, WritesPiecesLargerAndSmallerThanItsBufferInOrder) {
  const TemporaryFolder folder;
  const std::string large(3 << 20, 'x');
  const std::string half(600'000, 'y');
  AtomicFile file(folder / "a");
  for (const auto& piece : {std::string("start"), large, half, half, std::string("end")})
    file.write(piece);
  file.commit();
  EXPECT_EQ(file_content(folder / "a"), "start" + large + half + half + "end");
}

TEST(AtomicFile, OverwritesBytesInItsBufferAndOnTheDisk) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a");
  file.write("0123456789");
  file.overwrite(2, "ab");
  file.write(std::string(2 << 20, 'x'));
  file.overwrite(4, "cd");
  file.write("end");
  file.overwrite(file.size() - 3, "END");
  file.commit();
  EXPECT_EQ(file_content(folder / "a"), "01abcd6789" + std::string(2 << 20, 'x') + "END");
}

TEST(AtomicFile, SaysThatTheDiskIsFullAndKeepsWhatWasThere) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "old");
  const SmallDisk disk(1000);
  EXPECT_THAT(error_text([&] { write_file(folder / "a.txt", std::string(2000, 'x')); }),
              AllOf(HasSubstr("cannot write '"), HasSubstr("a.txt': File too large; ")));
  EXPECT_EQ(file_content(folder / "a.txt"), "old");
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(AtomicFile, NamesTheFolderThatDoesNotExist) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      error_text([&] { AtomicFile file(folder / "missing/a.txt"); }),
      AllOf(HasSubstr("missing/a.txt': the folder '"), HasSubstr("does not exist; create it")));
}

TEST(AtomicFile, RefusesAPathThroughAFile) {
  const TemporaryFolder folder;
  put_file(folder / "file", "");
  EXPECT_THAT(error_text([&] { AtomicFile file(folder / "file/a.txt"); }),
              HasSubstr("Not a directory; "));
}

TEST(AtomicFile, RefusesAFolderAsTarget) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_text([&] { AtomicFile file(folder.path()); }), HasSubstr("Is a directory; "));
  EXPECT_THAT(error_text([&] { AtomicFile file(folder / ""); }), HasSubstr("Is a directory; "));
}

TEST(AtomicFile, RemovesWhatAKilledWriterOfTheSameFileLeft) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(folder / "a.txt");
    file.write(std::string(2 << 20, 'x'));
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  ASSERT_EQ(entries_in(folder.path()), 1);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
  write_file(folder / "b.txt", "another file's leftovers are not its business");
  EXPECT_EQ(entries_in(folder.path()), 2);
  write_file(folder / "a.txt", "whole");
  EXPECT_EQ(entries_in(folder.path()), 2);
  EXPECT_EQ(file_content(folder / "a.txt"), "whole");
}

TEST(AtomicFile, LeavesAloneWhatALivingWriterOfTheSameFileIsWriting) {
  const TemporaryFolder folder;
  AtomicFile first(folder / "a.txt");
  first.write("first");
  AtomicFile second(folder / "a.txt");
  second.write("second");
  second.commit();
  EXPECT_EQ(file_content(folder / "a.txt"), "second");
  first.commit();
  EXPECT_EQ(file_content(folder / "a.txt"), "first");
}

}  // namespace
}  // namespace npq
