#include "tests/kernels/message_cases.h"

namespace npq::kernels {
namespace {

template <class Draw>
MessageCase<float> make_case(const MessageShape& shape, Senders senders, Delivery memory, int seed,
                             const Draw& draw) {
  const std::size_t B = shape.batch, N = shape.nodes, H = shape.hidden, R = shape.channels;
  std::mt19937 random(seed);
  NeighbourLists lists;
  if (senders == Senders::Listed) {
    std::vector<std::uint8_t> mask(B * N * N);
    for (auto& bit : mask) bit = random() % 3 == 0;
    lists = list_columns(mask.data(), shape.batch, shape.nodes);
  }
  auto make = [&](std::size_t size, bool weight) { return draw(size, weight, random); };
  return {shape,
          make(B * N * H, false),
          make(B * N * H, false),
          make(B * N * N * R, false),
          make(R * H, true),
          make(H * H, true),
          make(H, false),
          make(H * H, true),
          make(H, false),
          make(memory == Delivery::Nobody ? 0 : B * N * H, false),
          senders,
          memory,
          lists};
}

}  // namespace

MessageCase<float> whole_case(const MessageShape& shape, Senders senders, Delivery memory,
                              int seed) {
  return make_case(shape, senders, memory, seed, [](std::size_t size, bool weight, auto& random) {
    return Guarded<float>::whole(size, weight ? 1 : 2, random);
  });
}

MessageCase<float> normal_case(const MessageShape& shape, Senders senders, Delivery memory,
                               int seed) {
  const double scale = 1 / std::sqrt(double(shape.hidden));
  return make_case(shape, senders, memory, seed, [&](std::size_t size, bool weight, auto& random) {
    return Guarded<float>::normal(size, weight ? 1.4 * scale : 0.7, random);
  });
}

std::vector<NamedMessageLoops> message_loops_to_test() {
  std::vector<NamedMessageLoops> loops;
  test::for_each_level(kMessageAvx2, kMessageWide, kMessageAvx512,
                       [&](const char* name, const MessageLoops& some) {
                         loops.push_back({name, &some, false});
                       });
  if (test::machine_has(SimdLevel::Avx2)) loops.push_back({"tiles", &kMessageTiles, true});
  if (test::machine_has(SimdLevel::Amx)) loops.push_back({"amx", &kMessageAmx, true});
  return loops;
}

}  // namespace npq::kernels
