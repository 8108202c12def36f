#include "npq/clrs/dataset/official.h"

#include <nlohmann/json.hpp>

#include "npq/base/formats/json_text.h"

// The file itself, byte for byte, between two symbols; the path comes from npq/CMakeLists.txt.
asm(R"(
  .section .rodata
  .global npq_official_splits_begin
  .global npq_official_splits_end
npq_official_splits_begin:
  .incbin ")" NPQ_OFFICIAL_SPLITS_JSON R"("
npq_official_splits_end:
  .byte 0
  .section .text
)");
extern "C" const char npq_official_splits_begin[], npq_official_splits_end[];

namespace npq::clrs {

const nlohmann::json& official_splits() {
  static const auto parsed = parse_json({npq_official_splits_begin, npq_official_splits_end},
                                        "official_splits.json", {.bytes = 100'000'000})
                                 .at("algorithms");
  return parsed;
}

}  // namespace npq::clrs
