#pragma once
#include <cstdint>

#include "npq/base/options/named_choice.h"
#include "npq/base/options/option_table.h"
#include "npq/nn/encoders/options.h"
#include "npq/nn/options.h"

// Everything that decides which function a network computes. Free of torch, so that the command
// line shares it.
namespace npq::model {

/// Hints are fed in and asked for; only asked for; or not used at all.
enum class HintMode { EncodedDecoded, DecodedOnly, None };
/// How the network's own hint predictions come back as the next step's input.
enum class RepredMode { Soft, Hard, HardOnEval };

inline constexpr NamedChoice<HintMode> kHintModes[] = {
    {"encoded_decoded", HintMode::EncodedDecoded},
    {"decoded_only", HintMode::DecodedOnly},
    {"none", HintMode::None},
};
inline constexpr NamedChoice<RepredMode> kRepredModes[] = {
    {"soft", RepredMode::Soft},
    {"hard", RepredMode::Hard},
    {"hard_on_eval", RepredMode::HardOnEval},
};

struct ModelOptions {
  std::int64_t hidden = 128;
  HintMode hint_mode = HintMode::EncodedDecoded;
  RepredMode repred_mode = RepredMode::Soft;
  double teacher_forcing = 0;  // chance per sample and step to see the true hint, in training
  double dropout = 0;          // share of the hidden state set to zero, in training
  std::int64_t message_steps = 1;
  nn::EncoderInit encoder_init = nn::EncoderInit::Default;
  bool enforce_permutations =
      false;  // sorts answer with a permutation matrix; a matter of the data's spec
  nn::ProcessorOptions processor;

  bool encodes_hints() const { return hint_mode == HintMode::EncodedDecoded; }
  bool decodes_hints() const { return hint_mode != HintMode::None; }

  /// Throws a UsageError that names the option, what it holds and what it may hold.
  void validate() const;
};

/// The options of a network, each declared once: name, meaning, range.
const OptionTable<ModelOptions>& model_option_table();

}  // namespace npq::model
