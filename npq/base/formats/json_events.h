#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

namespace npq {

/// The events of `text`, one after the other, errors of syntax among them; nothing is kept. The
/// reader sets the limits: it ends the reading with the first event that it does not expect.
void read_json_events(std::string_view text, nlohmann::json_sax<nlohmann::json>& reader);

}  // namespace npq
