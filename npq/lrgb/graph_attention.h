#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace npq::lrgb {

/// Who hears whom, seen from both ends. Edges have numbers: those that reach node i are
/// begin[i] to begin[i + 1].
struct Neighbourhood {
  std::vector<std::int64_t> begin;                   // [n + 1]
  std::vector<std::int32_t> sender;                  // [m] of each edge
  std::vector<std::int64_t> out_begin;               // [n + 1], the same from the senders
  std::vector<std::int32_t> out_receiver, out_edge;  // [m] whom it reaches, the edge's number

  std::int64_t nodes() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  std::int64_t edges() const { return static_cast<std::int64_t>(sender.size()); }
};
std::shared_ptr<const Neighbourhood> make_neighbourhood(std::int64_t nodes,
                                                        const std::vector<std::int64_t>& sender,
                                                        const std::vector<std::int64_t>& receiver);

/// GATv2's attention over the edges that reach each node (every node must be reached):
///   s_ij = att . LeakyReLU_0.2(left_j + right_i);  out_i = sum_j softmax_j(s_ij) left_j
/// for left, right [n, D] and att [D], without ever holding a row per edge. Sums are divided by
/// sizes alone: the bits do not depend on the number of threads.
at::Tensor attend(const std::shared_ptr<const Neighbourhood>& neighbourhood, const at::Tensor& left,
                  const at::Tensor& right, const at::Tensor& att);

}  // namespace npq::lrgb
