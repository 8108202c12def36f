#pragma once
#include <cstdint>

// How the message of a memory reaches the nodes of a network.
namespace npq::kernels {

/// Who hears the row that a memory has for node i: node i itself; all nodes; node i, N times over
/// (the published code's send-to-all, D3: no difference under a maximum, a factor N in a sum).
/// Nobody: there is no row.
enum class Delivery : std::uint8_t { Nobody, Self, All, SelfRepeat };

/// Where it joins the messages of the other nodes: as one more sender before their message network,
/// or beside what comes out of it. (D10)
enum class Join : std::uint8_t { PreMlp, PostMlp };

}  // namespace npq::kernels
