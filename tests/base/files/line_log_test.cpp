#include "npq/base/files/line_log.h"

#include <gmock/gmock.h>

#include "tests/support/error_text.h"
#include "tests/support/small_disk.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using test::error_text;
using test::file_content;
using test::put_file;
using test::SmallDisk;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(LineLog, AppendsAfterWhatIsThere) {
  const TemporaryFolder folder;
  {
    LineLog log(folder / "log");
    log.append("one");
    EXPECT_EQ(log.size(), 4u);
    log.append("");
    log.sync();
  }
  LineLog(folder / "log").append("three");
  EXPECT_EQ(file_content(folder / "log"), "one\n\nthree\n");
  EXPECT_THAT(read_lines(folder / "log"), ElementsAre("one", "", "three"));
}

TEST(LineLog, ReadersIgnoreATornLastLineAndTheNextWriterCutsIt) {
  const TemporaryFolder folder;
  put_file(folder / "log", "one\ntwo\nthr");
  EXPECT_THAT(read_lines(folder / "log"), ElementsAre("one", "two"));
  EXPECT_EQ(file_content(folder / "log"), "one\ntwo\nthr");
  LineLog(folder / "log").append("3");
  EXPECT_EQ(file_content(folder / "log"), "one\ntwo\n3\n");
  put_file(folder / "only", "torn");
  EXPECT_THAT(read_lines(folder / "only"), IsEmpty());
  EXPECT_EQ(LineLog(folder / "only").size(), 0u);
}

TEST(LineLog, HasNoLinesWhereThereIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_lines(folder / "log"), IsEmpty());
  EXPECT_THAT(error_text([&] { read_lines(folder.path()); }), HasSubstr("Is a directory"));
}

TEST(LineLog, CutsWhatLiesBeyondTheSavedStep) {
  const TemporaryFolder folder;
  const std::string kept =
      "{\"note\":1}\n{\"step\":10}\n{\"step\":20,\"loss\":0.5}\n{\"step\":20}\n";
  put_file(folder / "log", kept + "{\"step\":30}\n{\"note\":2}\n{\"step\":40}\n{\"st");
  LineLog log(folder / "log");
  log.cut_beyond_step(20);
  EXPECT_EQ(file_content(folder / "log"), kept);
  EXPECT_EQ(log.size(), kept.size());
  log.cut_beyond_step(20);
  EXPECT_EQ(file_content(folder / "log"), kept);
}

TEST(LineLog, NamesTheLineThatIsDamaged) {
  const TemporaryFolder folder;
  put_file(folder / "log", "{\"step\":1}\n{\"step\":\n{\"step\":3}\n");
  EXPECT_THAT(error_text([&] { LineLog(folder / "log").cut_beyond_step(5); }),
              HasSubstr("line 2 of '"));
  put_file(folder / "log", "{\"step\":1.5}\n");
  EXPECT_THAT(error_text([&] { LineLog(folder / "log").cut_beyond_step(5); }),
              HasSubstr("a step that is not a whole number"));
}

TEST(LineLog, OfADeviceOrAPipeIsNotRead) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/null", folder / "log");
  EXPECT_THAT(error_text([&] { read_lines(folder / "log"); }),
              HasSubstr("log': it is a pipe or a device; expected a file"));
}

TEST(LineLog, IsAsBeforeWhenTheDiskFillsUpInsideALine) {
  const TemporaryFolder folder;
  LineLog log(folder / "log");
  log.append("12345");
  {
    const SmallDisk disk(10);
    EXPECT_THAT(error_text([&] { log.append("1234567890"); }),
                HasSubstr("No space left on device; free some space"));
    EXPECT_EQ(file_content(folder / "log"), "12345\n");
  }
  log.append("more");
  EXPECT_EQ(file_content(folder / "log"), "12345\nmore\n");
}

}  // namespace
}  // namespace npq
