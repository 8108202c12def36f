#include "npq/base/files/event_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

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
using ::testing::FieldsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Event> events(const TemporaryFolder& folder) {
  const auto content = file_content(EventFile::path_in(folder.path()));
  EventReader reader(content, "events");
  std::vector<Event> found;
  while (auto event = reader.next()) found.push_back(std::move(*event));
  return found;
}

// Without the first, which has the version.
std::vector<std::int64_t> steps(const TemporaryFolder& folder) {
  std::vector<std::int64_t> found;
  for (const auto& event : events(folder)) found.push_back(event.step);
  if (!found.empty()) found.erase(found.begin());
  return found;
}

TEST(EventFile, BeginsWithTheVersionAndHoldsWhatWasAppendedAtOnce) {
  const TemporaryFolder folder;
  EventFile file(folder.path());
  const std::vector<Scalar> scalars{{"loss", 0.5f}, {"losses/output/pi", 0.25f}};
  file.append(0, scalars);
  file.append(10, "val", 0.75);
  const auto found = events(folder);  // while the writer still has it open
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].file_version, "brain.Event:2");
  EXPECT_THAT(found[1].scalars,
              ElementsAre(FieldsAre("loss", 0.5f), FieldsAre("losses/output/pi", 0.25f)));
  EXPECT_EQ(found[2].step, 10);
  EXPECT_THAT(found[2].scalars, ElementsAre(FieldsAre("val", 0.75f)));
  EXPECT_EQ(file.size(), std::filesystem::file_size(file.path()));
}

TEST(EventFile, CarriesTheTimeOfWriting) {
  const TemporaryFolder folder;
  const auto now = [] {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  const double before = now();
  EventFile(folder.path()).append(1, "a", 1);
  for (const auto& event : events(folder)) {
    EXPECT_GE(event.wall_time, before);
    EXPECT_LE(event.wall_time, now());
  }
}

TEST(EventFile, GoesOnWhereItEndedAndWritesNoSecondVersion) {
  const TemporaryFolder folder;
  EventFile(folder.path()).append(1, "a", 1);
  EventFile(folder.path()).append(2, "a", 2);
  EXPECT_THAT(steps(folder), ElementsAre(1, 2));
}

TEST(EventFile, CutsATornLastRecordWhereverItIsTorn) {
  const TemporaryFolder folder;
  EventFile(folder.path()).append(1, "a", 1);
  const auto path = EventFile::path_in(folder.path());
  const auto whole = file_content(path);
  const auto torn = event_record({.step = 2, .scalars = {{"a", 2}}});
  for (std::size_t cut = 0; cut < torn.size(); ++cut) {
    put_file(path, whole + torn.substr(0, cut));
    EventFile file(folder.path());
    EXPECT_EQ(file.size(), whole.size());
    file.append(3, "a", 3);
    EXPECT_THAT(steps(folder), ElementsAre(1, 3));
  }
}

TEST(EventFile, BeginsAnewWhereEvenTheVersionIsTorn) {
  const TemporaryFolder folder;
  const auto path = EventFile::path_in(folder.path());
  { EventFile file(folder.path()); }
  const auto beginning = file_content(path);
  for (std::size_t cut = 0; cut < beginning.size(); ++cut) {
    put_file(path, beginning.substr(0, cut));
    EventFile(folder.path()).append(1, "a", 1);
    EXPECT_EQ(events(folder).at(0).file_version, "brain.Event:2");
    EXPECT_THAT(steps(folder), ElementsAre(1));
  }
}

TEST(EventFile, CutsWhatLiesBeyondTheSavedStep) {
  const TemporaryFolder folder;
  EventFile file(folder.path());
  const auto empty = file.size();
  for (const int step : {0, 10, 20, 20}) file.append(step, "a", step);
  const auto size = file.size();
  for (const int step : {30, 20, 40}) file.append(step, "a", step);
  file.cut_beyond_step(40);
  EXPECT_THAT(steps(folder), ElementsAre(0, 10, 20, 20, 30, 20, 40));
  file.cut_beyond_step(29);
  EXPECT_THAT(steps(folder), ElementsAre(0, 10, 20, 20));
  EXPECT_EQ(file.size(), size);
  file.append(30, "a", 1);
  EXPECT_THAT(steps(folder), ElementsAre(0, 10, 20, 20, 30));
  file.cut_beyond_step(-1);
  EXPECT_THAT(steps(folder), IsEmpty());
  EXPECT_EQ(file.size(), empty);
}

TEST(EventFile, RefusesWhatIsDamagedOrNoEventFileAndLeavesItAlone) {
  const TemporaryFolder folder;
  const auto path = EventFile::path_in(folder.path());
  const auto refused = [&](const std::string& content) {
    put_file(path, content);
    const auto text = error_text([&] { EventFile file(folder.path()); });
    EXPECT_EQ(file_content(path), content);
    return text;
  };
  EXPECT_THAT(refused("these are the notes of a user\n"), HasSubstr("the record at byte 0 of '"));
  EXPECT_THAT(refused(event_record({.step = 1})), HasSubstr("version 'brain.Event:2' expected"));
  auto damaged = event_record({.file_version = "brain.Event:2"}) + event_record({.step = 1});
  damaged[damaged.size() - 1] ^= 1;
  EXPECT_THAT(refused(damaged + event_record({.step = 2})), HasSubstr("the file is damaged"));
}

TEST(EventFile, RefusesAFileThatIsTooLargeToRead) {
  const TemporaryFolder folder;
  put_file(EventFile::path_in(folder.path()), "");
  std::filesystem::resize_file(EventFile::path_in(folder.path()), 1ull << 40);  // takes no space
  EXPECT_THAT(error_text([&] { EventFile file(folder.path()); }),
              HasSubstr("has 1099511627776 bytes, more than the 1073741824"));
}

TEST(EventFile, RefusesAPipeAndAFolder) {
  const TemporaryFolder folder;
  const auto path = EventFile::path_in(folder.path());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(error_text([&] { EventFile file(folder.path()); }), HasSubstr("it is a pipe"));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_THAT(error_text([&] { EventFile file(folder.path()); }), HasSubstr("Is a directory"));
  EXPECT_THAT(error_text([&] { EventFile file(folder / "missing"); }),
              HasSubstr("missing' does not exist"));
}

TEST(EventFile, IsAsBeforeWhenTheDiskFillsUpInsideARecord) {
  const TemporaryFolder folder;
  EventFile file(folder.path());
  file.append(1, "a", 1);
  const auto before = file_content(file.path());
  {
    const SmallDisk disk(before.size() + 20);
    EXPECT_THAT(error_text([&] { file.append(2, "a", 2); }), HasSubstr("No space left on device"));
    EXPECT_EQ(file_content(file.path()), before);
  }
  file.append(3, "a", 3);
  EXPECT_THAT(steps(folder), ElementsAre(1, 3));
}

[[noreturn]] void write_many(const std::filesystem::path& folder) noexcept {
  EventFile file(folder);
  for (std::int64_t step = 0; step < 1'000'000; ++step) file.append(step, "a", 1);
  _exit(0);
}

TEST(EventFile, SurvivesAKilledWriter) {
  const TemporaryFolder folder;
  { EventFile file(folder.path()); }
  const auto path = EventFile::path_in(folder.path());
  for (int round = 0; round < 10; ++round) {
    const auto size = std::filesystem::file_size(path);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) write_many(folder.path());
    // Killed in the middle of its work, unless something ended it before: then the counts below
    // fail.
    while (std::filesystem::file_size(path) < size + 1000 &&
           waitpid(child, nullptr, WNOHANG) == 0) {
      std::this_thread::yield();
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_GE(std::filesystem::file_size(path), size + 1000);
    EventFile file(folder.path());
    file.cut_beyond_step(5);
    file.append(round, "b", 2);
    const auto found = events(folder);
    EXPECT_EQ(found.back().scalars.at(0).tag, "b");
    for (const auto& event : found) EXPECT_LE(event.step, 9);
  }
}

}  // namespace
}  // namespace npq
