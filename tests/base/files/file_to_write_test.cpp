// What may stand at the name of a file that is to be written.
#include "npq/base/files/file_to_write.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "npq/base/files/append_file.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/run_folder.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

namespace fs = std::filesystem;
using test::entries_in;
using test::error_text;
using test::file_content;
using test::put_file;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(FileToWrite, ALinkStaysAndWhatItLeadsToIsReplacedWhole) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "else");
  put_file(folder / "else/file", "old");
  fs::create_symlink("else/file", folder / "near");
  fs::create_symlink(folder / "near", folder / "far");
  { AtomicFile(folder / "far").write("never committed"); }
  EXPECT_EQ(file_content(folder / "else/file"), "old");
  write_file(folder / "far", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "far"));
  EXPECT_TRUE(fs::is_symlink(folder / "near"));
  EXPECT_FALSE(fs::is_symlink(folder / "else/file"));
  EXPECT_EQ(file_content(folder / "else/file"), "new");
  EXPECT_EQ(entries_in(folder.path()), 3);
  EXPECT_EQ(entries_in(folder / "else"), 1);
}

TEST(FileToWrite, ALinkToNothingMakesTheFile) {
  const TemporaryFolder folder;
  fs::create_symlink("later", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(file_content(folder / "later"), "new");
  fs::create_symlink("no/folder/there", folder / "lost");
  EXPECT_THAT(error_text([&] { write_file(folder / "lost", "x"); }),
              HasSubstr("no/folder' does not exist"));
}

TEST(FileToWrite, LinksInACircleAreRefused) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  EXPECT_THAT(error_text([&] { write_file(folder / "a", "x"); }),
              HasSubstr("its links lead in a circle"));
  EXPECT_EQ(entries_in(folder.path()), 2);
}

TEST(FileToWrite, WhatIsNoRegularFileIsRefusedAndStaysAsItIs) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder / "to_pipe");
  fs::create_directory(folder / "folder");
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  (folder / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const auto entries = entries_in(folder.path());
  const auto refusal = [&](const fs::path& path) {
    const auto whole = error_text([&] { write_file(path, "x"); });
    EXPECT_EQ(error_text([&] { AppendFile file(path); }), whole);
    return whole;
  };
  EXPECT_THAT(refusal(folder / "pipe"),
              AllOf(HasSubstr("cannot write '"), HasSubstr("pipe': it is a pipe, and files")));
  EXPECT_THAT(refusal(folder / "to_pipe"), HasSubstr("it is a pipe"));
  EXPECT_THAT(refusal(folder / "socket"), HasSubstr("it is a socket"));
  EXPECT_THAT(refusal(folder / "folder"), HasSubstr("Is a directory; expected a file"));
  EXPECT_THAT(refusal("/dev/null"), HasSubstr("it is a device"));
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(entries_in(folder.path()), entries);
  close(server);
}

TEST(FileToWrite, ALogFollowsALinkToo) {
  const TemporaryFolder folder;
  fs::create_symlink("log", folder / "link");
  AppendFile(folder / "link").append("one");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(file_content(folder / "log"), "one");
}

TEST(FileToWrite, TheLockOfARunFolderIsAFileToo) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / ".lock").c_str(), 0600), 0);
  EXPECT_THAT(error_text([&] { RunFolder::create(folder.path()); }), HasSubstr("it is a pipe"));
}

}  // namespace
}  // namespace npq
