#include "npq/train/ranks/membership.h"

#include <charconv>
#include <optional>

#include "npq/base/error.h"

namespace npq::train {
namespace {

constexpr int kLastPort = 65535;

/// Ports of Slurm's jobs: below those that systems give to outgoing connections.
constexpr std::int64_t kFirstSlurmPort = 15000, kSlurmPorts = 15000;

class Reader {
 public:
  explicit Reader(const Environment& environment) : environment_(environment) {}

  bool has(const char* name) const { return !environment_(name).empty(); }

  std::int64_t number(const char* name, std::int64_t least, std::int64_t most) const {
    const auto text = environment_(name);
    std::int64_t number = 0;
    const auto* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc() || end != last || number < least || number > most)
      throw Error("the environment variable {} is '{}'; expected a number from {} to {}", name,
                  text, least, most);
    return number;
  }

  std::string text(const char* name, const char* why) const {
    const auto text = environment_(name);
    if (text.empty()) throw Error("the environment variable {} is missing: {}", name, why);
    return text;
  }

 private:
  const Environment& environment_;
};

constexpr std::int64_t kMostRanks = 100'000;

Membership of_torchrun(const Reader& environment) {
  constexpr auto kTogether =
      "RANK and WORLD_SIZE go together, as torchrun sets them; unset both to train alone";
  environment.text("RANK", kTogether);
  environment.text("WORLD_SIZE", kTogether);
  Membership membership;
  membership.count = static_cast<int>(environment.number("WORLD_SIZE", 1, kMostRanks));
  membership.rank = static_cast<int>(environment.number("RANK", 0, membership.count - 1));
  if (membership.count == 1) return membership;
  membership.host = environment.text("MASTER_ADDR", "it says on which machine rank 0 is");
  environment.text("MASTER_PORT", "it says where the ranks meet");
  membership.port = static_cast<int>(environment.number("MASTER_PORT", 1, kLastPort - 1)) + 1;
  if (environment.has("LOCAL_WORLD_SIZE"))
    membership.local = static_cast<int>(environment.number("LOCAL_WORLD_SIZE", 1, kMostRanks));
  return membership;
}

Membership of_slurm(const Reader& environment) {
  Membership membership;
  membership.count = static_cast<int>(environment.number("SLURM_STEP_NUM_TASKS", 1, kMostRanks));
  if (membership.count == 1) return membership;
  membership.rank = static_cast<int>(environment.number("SLURM_PROCID", 0, membership.count - 1));
  membership.host = first_host(
      environment.text("SLURM_STEP_NODELIST", "it says on which machines the ranks are"));
  constexpr std::int64_t kAny = INT64_MAX / 64;
  const auto job = environment.number("SLURM_JOB_ID", 0, kAny);
  const auto step = environment.number("SLURM_STEP_ID", 0, kAny);
  membership.port = static_cast<int>(kFirstSlurmPort + (16 * job + step) % kSlurmPorts);
  return membership;
}

}  // namespace

std::string first_host(std::string_view list) {
  const auto bracket = list.find('[');
  const auto comma = list.find(',');
  if (bracket == list.npos || comma < bracket) return std::string(list.substr(0, comma));
  const auto end = list.find_first_of("-,]", bracket);
  if (end == list.npos) throw Error("'{}' is not a list of machines as Slurm writes it", list);
  const auto close = list.find(']', bracket);
  auto after = close == list.npos ? std::string_view() : list.substr(close + 1);
  after = after.substr(0, after.find(','));
  return fmt::format("{}{}{}", list.substr(0, bracket), list.substr(bracket + 1, end - bracket - 1),
                     after);
}

Membership membership_of(const Environment& variables) {
  const Reader environment(variables);
  if (environment.has("RANK") || environment.has("WORLD_SIZE")) return of_torchrun(environment);
  if (environment.has("SLURM_PROCID") && environment.has("SLURM_STEP_NUM_TASKS"))
    return of_slurm(environment);
  return {};
}

}  // namespace npq::train
