#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "npq/report/tables.h"

// Parts of a page. Texts are escaped here, wherever they come from.
namespace npq::report {

/// On a phone every row becomes a card.
std::string html_table(const Table& table);
/// A framed list under a title; nothing where the list is empty.
std::string html_list(std::string_view title, const std::vector<std::string>& items);

}  // namespace npq::report
