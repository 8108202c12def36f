#pragma once
#include "npq/base/options/named_choice.h"

namespace npq::nn {

/// How the weights of encoders begin. XavierOnScalars gives those of scalar hints the factor
/// 1/sqrt(H), as if the one number came from H: fed-back scalars then do not dominate at first.
enum class EncoderInit { Default, XavierOnScalars };

inline constexpr NamedChoice<EncoderInit> kEncoderInits[] = {
    {"default", EncoderInit::Default},
    {"xavier_on_scalars", EncoderInit::XavierOnScalars},
};

}  // namespace npq::nn
