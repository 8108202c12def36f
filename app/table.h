#pragma once
#include <string>
#include <vector>

namespace npq::app {

/// Columns padded to their widest cell; the first row is the heading. `right` lists right-aligned
/// columns. On a terminal too narrow for all of them they become several tables, each with the
/// first column, and cells that are still too wide continue in the next line.
std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<int>& right = {});

}  // namespace npq::app
