#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace npq::train {

struct StepReport {
  std::int64_t step = 0;                 // 0-based: the update just made
  double loss = 0;                       // before it
  double gradient_norm = 0;              // before clipping
  std::map<std::string, double> losses;  // by name: "output/pi", "hint/d"
};

struct EvaluationReport {
  std::int64_t step = 0;
  double score = 0;                      // validation
  std::map<std::string, double> scores;  // by output
  std::map<std::string, double> memory;  // its health, see memory_health.h; empty without one
  bool best = false;
  double seconds = 0;
};

}  // namespace npq::train
