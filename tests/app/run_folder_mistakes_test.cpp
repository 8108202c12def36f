// What npq says of a folder that is no run, and of one that it may not read.
#include <gmock/gmock.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "tests/support/run_command.h"
#include "tests/support/torch_stored_runs.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// From here on root, too, may not read what it has no permission for.
void give_up_root_rights() {
  prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
  prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
}

TEST(RunFolderMistakes, AFolderThatIsNoRunIsNotRecommendedAsOne) {
  const test::TemporaryFolder folder;
  const auto path = folder.path().string();
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"evaluate", path},
        {"train", "--resume", path},
        {"predict", path, "--input", NPQ_SOURCE_DIR "/examples/graphs.json"}}) {
    const auto answer = run_npq(args);
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_THAT(answer.err,
                AllOf(HasSubstr("'" + path + "' is not a run folder"),
                      HasSubstr("expected a folder that npq train"), Not(HasSubstr("--out"))));
  }
}

TEST(RunFolderMistakes, AConfigurationThatMayNotBeReadIsNotCalledDamaged) {
  const test::TemporaryFolder folder;
  const auto run = (folder / "run").string(), config = run + "/config.json";
  store_run(run, small_options("bfs"));
  ASSERT_EQ(chmod(config.c_str(), 0), 0);
  for (const std::vector<std::string>& args : {std::vector<std::string>{"evaluate", run},
                                               {"train", "--resume", run},
                                               {"train", "--config", config, "--print-config"}}) {
    const auto answer = run_npq(args, give_up_root_rights);
    EXPECT_NE(answer.exit_code, 0);
    EXPECT_THAT(answer.err,
                AllOf(HasSubstr(config), HasSubstr("cannot read"), Not(HasSubstr("damaged"))));
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
  }
}

}  // namespace
}  // namespace npq::test
