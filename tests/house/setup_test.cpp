// tools/setup.sh on machines made of fake programs: which packages are there, who the user is, what
// apt-get does.
#include <gmock/gmock.h>

#include "tests/house/shell.h"
#include "tests/support/temporary_folder.h"

namespace npq::house {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Setup : public ::testing::Test {
 protected:
  Setup() {
    // Installed: whatever stands in the file `installed`; apt-get writes down how it was called.
    program("dpkg-query",
            "shift 3; for p in \"$@\"; do grep -qx \"$p\" $HERE/installed && echo \"ii  $p\"; "
            "done; true");
    program("apt-get", "echo \"apt-get $*\" >> $HERE/calls; exit $(cat $HERE/apt_status)");
    test::put_file(folder_ / "apt_status", "0");
    test::put_file(folder_ / "calls", "");
    for (const auto* tool : {"env", "grep", "cat"})
      fs::create_symlink(fs::path("/usr/bin") / tool, bin() / tool);
    user("0");
  }

  void user(const std::string& id) { program("id", "echo " + id); }
  void sudo(bool allowed) {
    program("sudo", allowed ? "[ \"$1\" = -n ] && exit 0; echo \"sudo $*\" >> $HERE/calls; \"$@\""
                            : "exit 1");
  }

  void apt_fails() { test::put_file(folder_ / "apt_status", "100"); }

  void installed(const std::string& packages) {
    std::string lines;
    for (const char c : packages) lines += c == ' ' ? '\n' : c;
    test::put_file(folder_ / "installed", lines + "\n");
  }

  /// Runs set_up with only the fakes on the PATH, with two packages in its build group and one
  /// helpful.
  Answer set_up() {
    return shell(
        "NPQ_SETUP=on HERE=" + folder_.path().string() + " PATH=" + bin().string() +
        " /bin/bash -c 'set -euo pipefail; source " NPQ_SOURCE_DIR
        "/tools/setup.sh; build_packages=(compiler maker); helpful_packages=(cache); set_up build' "
        "</dev/null");
  }
  std::string calls() const { return test::file_content(folder_ / "calls"); }

 private:
  fs::path bin() const { return folder_ / "bin"; }
  void program(const std::string& name, const std::string& body) {
    fs::create_directories(bin());
    fs::remove(bin() / name);
    test::put_file(bin() / name, "#!/bin/bash\n" + body + "\n");
    fs::permissions(bin() / name, fs::perms::owner_all);
  }
  test::TemporaryFolder folder_;
};

TEST_F(Setup, SaysAndAsksNothingWhenAllPackagesAreThere) {
  installed("compiler maker cache");
  const auto answer = set_up();
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.output, "");
  EXPECT_EQ(calls(), "");
}

TEST_F(Setup, InstallsOnlyWhatIsMissingAndSaysSoFirst) {
  installed("compiler");
  const auto answer = set_up();
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_EQ(answer.output, "Installing Debian packages: maker cache\n");
  EXPECT_EQ(calls(),
            "apt-get update -qq\n"
            "apt-get install --yes -qq --no-install-recommends maker cache\n");
}

TEST_F(Setup, UsesSudoWhereTheUserIsNotRoot) {
  installed("compiler cache");
  user("1000");
  sudo(/*allowed=*/true);
  EXPECT_EQ(set_up().exit_code, 0);
  EXPECT_THAT(calls(),
              AllOf(HasSubstr("sudo apt-get update -qq\n"),
                    HasSubstr("apt-get install --yes -qq --no-install-recommends maker\n")));
}

TEST_F(Setup, NamesThePackagesAndTheCommandWhereNothingCanBeInstalled) {
  installed("compiler cache");
  user("1000");
  for (const bool sudo_exists : {false, true}) {
    if (sudo_exists) sudo(/*allowed=*/false);
    const auto answer = set_up();
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_THAT(answer.output, HasSubstr("which this user does not have: maker\n"));
    EXPECT_THAT(
        answer.output,
        HasSubstr("apt-get update && apt-get install --yes --no-install-recommends maker\n"));
    EXPECT_EQ(calls(), "");
  }
}

TEST_F(Setup, GoesOnWithoutPackagesThatOnlySaveTime) {
  installed("compiler maker");
  user("1000");
  const auto answer = set_up();
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.output, "");
}

TEST_F(Setup, ExplainsAFailureOfAptGet) {
  installed("maker cache");
  apt_fails();
  const auto answer = set_up();
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("apt-get could not install them"), HasSubstr("Needed: compiler\n")));
}

}  // namespace
}  // namespace npq::house
