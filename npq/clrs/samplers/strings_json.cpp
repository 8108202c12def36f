// Strings of a user.
#include "npq/clrs/samplers/inputs_json.h"
#include "npq/clrs/samplers/json_fields.h"

namespace npq::clrs {
namespace {

void check_total(const JsonFields& fields, const std::string& first, const std::string& second,
                 const Strings& in) {
  const auto total = in.first.size() + in.second.size();
  if (total > kMostNodesOfAnInput)
    fields.fail("'{}' and '{}' have {} letters together; at most {} are possible", first, second,
                total, kMostNodesOfAnInput);
}

}  // namespace

Strings read_two_strings(JsonFields& fields) {
  Strings in{fields.letters("x"), fields.letters("y")};
  check_total(fields, "x", "y", in);
  return in;
}

Strings read_text_and_pattern(JsonFields& fields) {
  Strings in{fields.letters("text"), fields.letters("pattern")};
  check_total(fields, "text", "pattern", in);
  if (in.second.size() >= in.first.size())
    fields.fail("'pattern' has {} letters and 'text' has {}; expected a longer text",
                in.second.size(), in.first.size());
  return in;
}

}  // namespace npq::clrs
