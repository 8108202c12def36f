#include "npq/experiment/progress.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "npq/base/files/json_file.h"

namespace npq::experiment {

LogEnd last_progress(const std::filesystem::path& metrics, const PlannedRun& run) {
  // Fifty lines or so: the newest loss, and as a rule the newest validation.
  constexpr std::streamoff kTail = 32'000;
  LogEnd end;
  std::ifstream file(metrics, std::ios::binary | std::ios::ate);
  if (!file) return end;
  const std::streamoff from = std::max<std::streamoff>(0, file.tellg() - kTail);
  file.seekg(from);
  std::string text(std::istreambuf_iterator<char>(file), {});
  const auto torn = text.rfind('\n');
  text.resize(torn == std::string::npos ? 0 : torn);
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto object = json_or_null(line);
    if (!object.is_object()) continue;
    if (const auto loss = number_at(object, "loss")) end.loss = loss;
    if (const auto validation = number_at(object, std::string(run.kind().validation)))
      end.validation = validation;
    const auto step = count_at(object, std::string(run.kind().unit));
    if (!step) continue;
    end.step = std::max(end.step, *step + 1);
    end.seconds = std::max(end.seconds, number_at(object, "seconds").value_or(0));
  }
  return end;
}

}  // namespace npq::experiment
