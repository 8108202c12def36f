#include "npq/report/trace_page.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace npq::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

nlohmann::json small_trace() {
  return {{"title", "a <title>"},
          {"about", {"run </script><b>"}},
          {"nodes", 1},
          {"probes", nlohmann::json::array()},
          {"inputs", nlohmann::json::object()},
          {"steps", {nlohmann::json::object()}},
          {"run", "</script><img src=x>"}};
}

TEST(TracePage, NothingInTheDataEndsItsElement) {
  const auto page = trace_page(small_trace());
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("a &lt;title&gt;"));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>"));
}

TEST(TracePage, NeedsNothingElse) {
  const auto page = trace_page(small_trace());
  for (const char* outside : {"src=\"", "href=", "@import", "url(", "fetch("})
    EXPECT_THAT(page, Not(HasSubstr(outside))) << outside;
}

}  // namespace
}  // namespace npq::report
