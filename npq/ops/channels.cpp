#include "npq/ops/channels.h"

#include "npq/base/error.h"

namespace npq::ops {

void check_channels(std::string_view kernel, const std::vector<bool>& marks,
                    std::int64_t channels) {
  if (marks.empty() || static_cast<std::int64_t>(marks.size()) == channels) return;
  throw Error("{}: 'value_gradients' names {} channels; expected {}", kernel, marks.size(),
              channels);
}

}  // namespace npq::ops
