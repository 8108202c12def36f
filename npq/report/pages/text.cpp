#include "npq/report/pages/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "npq/base/printable.h"
#include "npq/base/utf8.h"

namespace npq::report {
namespace {

/// `text` with every character that `escape` knows replaced; the rest as it is.
template <class Escape>
std::string escaped(std::string_view text, Escape escape) {
  std::string result;
  for (const char c : text) {
    const std::string_view replacement = escape(c);
    if (replacement.empty())
      result += c;
    else
      result += replacement;
  }
  return result;
}

}  // namespace

std::string shown(std::string_view text, std::size_t longest) {
  if (!is_utf8(text)) return printable(text, longest);
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  if (result.size() <= longest) return result;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(result[end]) & 0xC0) == 0x80) --end;
  return result.substr(0, end) + "...";
}

std::string html(std::string_view text) {
  return escaped(shown(text, 4000), [](char c) -> std::string_view {
    switch (c) {
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '"':
        return "&quot;";
      case '\'':
        return "&#39;";
      default:
        return "";
    }
  });
}

std::string markdown(std::string_view text) {
  return escaped(shown(text, 4000), [](char c) -> std::string_view {
    switch (c) {
      case '|':
        return "\\|";
      case '\\':
        return "\\\\";
      case '<':
        return "&lt;";
      case '`':
        return "\\`";
      case '*':
        return "\\*";
      case '[':
        return "\\[";
      default:
        return "";
    }
  });
}

std::string csv(std::string_view text) {
  auto plain = shown(text);
  if (plain.find_first_of(",\"") == plain.npos) return plain;
  return '"' + escaped(plain, [](char c) -> std::string_view { return c == '"' ? "\"\"" : ""; }) +
         '"';
}

std::string percent(std::optional<double> share) {
  return share ? fmt::format("{:.2f}", *share * 100) : "-";
}

std::string short_number(double number) {
  const double size = std::abs(number);
  if (size != 0 && (size >= 1e7 || size < 1e-4)) return fmt::format("{:.3g}", number);
  if (size >= 1000) return fmt::format("{:.0f}", number);
  return fmt::format("{:.4g}", number);
}

std::string grouped_digits(long long number) {
  std::string digits = std::to_string(number);
  for (int at = static_cast<int>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return digits;
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds > 1e12) return fmt::format("{:.3g} s", seconds);
  const auto whole = std::llround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string listed(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  if (names.size() == 1) return names[0];
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string named(const std::vector<std::string>& names, std::string_view kind) {
  constexpr std::size_t kNamed = 3;
  return names.size() <= kNamed ? listed(names) : fmt::format("{} {}", names.size(), kind);
}

std::string joined(std::vector<std::string> parts, std::string_view separator) {
  std::erase_if(parts, [](const auto& part) { return part.empty(); });
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace npq::report
