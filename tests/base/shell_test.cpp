#include "npq/base/shell.h"

#include <gmock/gmock.h>

namespace npq {
namespace {

TEST(ShellQuoted, LeavesPlainWordsAloneAndQuotesTheRest) {
  EXPECT_EQ(shell_quoted("runs/a-b_1.json"), "runs/a-b_1.json");
  EXPECT_EQ(shell_quoted("two words"), "'two words'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("$HOME"), "'$HOME'");
}

}  // namespace
}  // namespace npq
