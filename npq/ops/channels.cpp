#include "npq/ops/channels.h"

#include "npq/base/error.h"

namespace npq::ops {

void check_channels(std::string_view kernel, const std::vector<bool>& marks,
                    std::int64_t channels) {
  if (marks.empty() || static_cast<std::int64_t>(marks.size()) == channels) return;
  throw Error("{}: 'value_gradients' names {} channels; expected {}", kernel, marks.size(),
              channels);
}

at::IValue saved_channels(const std::vector<bool>& marks) {
  c10::List<bool> list;
  for (const bool mark : marks) list.push_back(mark);
  return list;
}

std::vector<std::uint8_t> loaded_channels(const at::IValue& saved) {
  std::vector<std::uint8_t> channels;
  for (const bool mark : saved.toBoolList()) channels.push_back(mark);
  return channels;
}

}  // namespace npq::ops
