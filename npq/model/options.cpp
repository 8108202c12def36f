#include "npq/model/options.h"

namespace npq::model {

const OptionTable<ModelOptions>& model_option_table() {
  using O = ModelOptions;
  static const OptionTable<O> table{{
      plain_option<O>("processor",
                      "mpnn, pgn, gat, gatv2, deepsets, triplet_mpnn, ... "
                      "(npq list processors)",
                      "NAME", NPQ_FIELD(processor.name))
          .one_of(nn::processor_names()),
      plain_option<O>("hidden", "hidden size", "H", NPQ_FIELD(hidden)).in(at_least(1)),
      plain_option<O>("heads", "attention heads of gat and gatv2", "K", NPQ_FIELD(processor.heads))
          .in(at_least(1)),
      plain_option<O>("triplet-features", "features of triplet processors", "F",
                      NPQ_FIELD(processor.triplet_fts))
          .in(at_least(1)),
      plain_option<O>("layer-norm", "LayerNorm in the processor (on)", "",
                      NPQ_FIELD(processor.layer_norm)),
      choice_option<O>("hints", "whether hints are fed in and asked for", kHintModes,
                       NPQ_FIELD(hint_mode)),
      choice_option<O>("repred", "how hint predictions are fed back", kRepredModes,
                       NPQ_FIELD(repred_mode)),
      choice_option<O>("encoder-init", "how encoders are initialised", nn::kEncoderInits,
                       NPQ_FIELD(encoder_init)),
      plain_option<O>("teacher-forcing", "chance to see a true hint in training", "P",
                      NPQ_FIELD(teacher_forcing))
          .in(from_to(0, 1)),
      plain_option<O>("dropout", "share of the hidden state dropped in training", "P",
                      NPQ_FIELD(dropout))
          .in(at_least(0).below(1)),
      plain_option<O>("message-steps", "rounds of messages per step", "K", NPQ_FIELD(message_steps))
          .in(at_least(1)),
      plain_option<O>("enforce-permutations", "sorts answer with permutation matrices", "",
                      NPQ_FIELD(enforce_permutations)),
  }};
  return table;
}

void ModelOptions::validate() const {
  model_option_table().check(*this);
  processor.validate(hidden);
}

}  // namespace npq::model
