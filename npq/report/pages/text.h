#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How texts and numbers are written on a page. Texts come from files and folder names: they may
// hold anything.
namespace npq::report {

/// UTF-8 without control characters, at most `longest` bytes.
std::string shown(std::string_view text, std::size_t longest = 400);
/// The text between tags or in a quoted attribute.
std::string html(std::string_view text);
/// The text in a cell of a Markdown table.
std::string markdown(std::string_view text);
/// The text as a field of a CSV file (RFC 4180).
std::string csv(std::string_view text);

/// "56.45" for 0.5645, "-" for nothing.
std::string percent(std::optional<double> share);
/// Four significant digits: "0.1235", "12.35", "1235"; no exponent where a person reads it.
std::string short_number(double number);
/// "415 750".
std::string grouped_digits(long long number);
/// "42 s", "3 min 20 s", "2 h 05 min".
std::string duration(double seconds);

/// "A", "A and B", "A, B and C".
std::string listed(const std::vector<std::string>& names);
/// The names where they are at most three, else how many there are: "7 models".
std::string named(const std::vector<std::string>& names, std::string_view kind);
/// The parts that are not empty, one after the other.
std::string joined(std::vector<std::string> parts, std::string_view separator);

}  // namespace npq::report
