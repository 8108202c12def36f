// npq info, as a user calls it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/base/parallel.h"
#include "npq/base/simd.h"
#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using ::testing::HasSubstr;

TEST(Info, NamesTheProgramTheMachineAndWhoseMatrixProductsItUses) {
  const auto answer = run_npq({"info", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto known = nlohmann::json::parse(answer.out);
  for (const char* key : {"version", "commit", "compiler", "cpu", "libtorch", "blas"})
    EXPECT_FALSE(known.at(key).get<std::string>().empty()) << key;
  EXPECT_EQ(known["simd"], simd_level_name(active_simd_level()));
  EXPECT_EQ(known["threads"], available_threads());
  EXPECT_TRUE(known["warnings"].is_array());
}

TEST(Info, ShowsTheSameAsATable) {
  const auto answer = run_npq({"info"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* key : {"version", "commit", "simd", "libtorch", "blas"})
    EXPECT_THAT(answer.out, HasSubstr(key));
}

}  // namespace
}  // namespace npq::test
