// tools/lint.sh in a project of a few files: which of them clang-tidy is asked about.
#include <gmock/gmock.h>

#include "tests/house/shell.h"
#include "tests/support/temporary_folder.h"

namespace npq::house {
namespace {

namespace fs = std::filesystem;

class Lint : public ::testing::Test {
 protected:
  Lint() {
    write("docs/architecture.md",
          "| `npq/base/` | errors | - | no |\n| `npq/ops/` | operations | base | yes |\n");
    fs::create_directories(folder_ / "tools");
    fs::copy_file(NPQ_SOURCE_DIR "/tools/lint.sh", folder_ / "tools/lint.sh");
    for (const auto* file : {"npq/base/error.cpp", "npq/base/error.h", "npq/base/names.cpp",
                             "npq/base/names.h", "npq/ops/linear.cpp"})
      write(file, "// first\n");
    git("init --quiet --initial-branch=main");
    commit();
    commit();
  }

  void write(const std::string& file, const std::string& content) {
    fs::create_directories((folder_ / file).parent_path());
    test::put_file(folder_ / file, content);
  }
  void git(const std::string& words) {
    const auto answer = shell("cd " + folder_.path().string() +
                              " && git -c user.name=t -c user.email=t@example.org " + words);
    ASSERT_EQ(answer.exit_code, 0) << answer.output;
  }
  void commit() {
    git("add --all");
    git("commit --quiet --allow-empty --message=next");
  }
  std::string listed() {
    const auto answer = shell((folder_ / "tools/lint.sh").string() + " list");
    EXPECT_EQ(answer.exit_code, 0);
    return answer.output;
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(Lint, NothingChangedIsNothingToReadAndNoCompilerIsAsked) {
  EXPECT_EQ(listed(), "");
  write("npq/ops/linear.cpp", "// clang cannot read libtorch\n");
  write("docs/page.md", "words\n");
  EXPECT_EQ(listed(), "");
}

TEST_F(Lint, ReadsWhatIsNotCommittedAndWhatTheLastCommitChanged) {
  write("npq/base/error.cpp", "// second\n");
  EXPECT_EQ(listed(), "npq/base/error.cpp\n");
  commit();
  write("npq/base/new.cpp", "// new\n");
  EXPECT_EQ(listed(), "npq/base/error.cpp\nnpq/base/new.cpp\n");
  commit();
  EXPECT_EQ(listed(), "npq/base/new.cpp\n");
}

TEST_F(Lint, AHeaderIsReadWithTheSourceBesideIt) {
  write("npq/base/names.h", "// second\n");
  EXPECT_EQ(listed(), "npq/base/names.cpp\n");
}

TEST_F(Lint, ABranchIsReadFromWhereItLeftOrigin) {
  git("update-ref refs/remotes/origin/main HEAD");
  git("symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main");
  for (const auto* file : {"npq/base/error.cpp", "npq/base/names.cpp"}) {
    write(file, "// second\n");
    commit();
  }
  EXPECT_EQ(listed(), "npq/base/error.cpp\nnpq/base/names.cpp\n");
}

}  // namespace
}  // namespace npq::house
