#pragma once
#include <filesystem>
#include <span>
#include <string>

namespace npq {

/// The lines of a metrics.jsonl as a table (CSV as in RFC 4180, with plain line ends), one row per
/// line:
///   {"step":0,"loss":0.5,"losses":{"output/pi":0.25}}        step,loss,losses/output/pi,val
///   {"step":0,"val":1}                                  ->   0,0.5,0.25,
///                                                            0,,,1
/// Columns are all keys of all lines, `step` first, then in order of appearance; objects in objects
/// are joined with '/'. Numbers are as in the log, null and missing values are empty, a list is
/// its JSON. `file` names the log in messages.
std::string metrics_csv(std::span<const std::string> lines, const std::string& file);

/// Writes `csv` from the log `jsonl`, atomically; an incomplete last line is left out.
void write_metrics_csv(const std::filesystem::path& jsonl, const std::filesystem::path& csv);

}  // namespace npq
