#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "npq/kernels/message/message.h"
#include "npq/kernels/optional.h"

namespace npq::kernels {
namespace {

template <class Number>
struct Sizes {
  std::size_t nodes, hidden, channels;
  const MessageInputs<Number>& in;

  /// Who receiver r of graph b hears, ascending.
  std::vector<int> heard(std::size_t b, std::size_t r) const {
    std::vector<int> senders;
    const int n = static_cast<int>(nodes);
    switch (in.senders) {
      case Senders::All:
        for (int s = 0; s < n; ++s) senders.push_back(s);
        break;
      case Senders::Self:
        senders.push_back(static_cast<int>(r));
        break;
      case Senders::Listed:
        for (int e = in.neighbours.offsets[b * nodes + r];
             e < in.neighbours.offsets[b * nodes + r + 1]; ++e)
          senders.push_back(in.neighbours.list[e]);
        break;
    }
    return senders;
  }

  std::size_t memory_row(std::size_t b, std::size_t r, int sender) const {
    const bool own = has_own_row(in.delivery);
    return (b * nodes + (own ? r : sender - nodes)) * hidden;
  }
};

/// One message, with what its gradient needs.
template <class Number>
struct Message {
  std::vector<Number> u, y, m;

  Message(const Sizes<Number>& sizes, std::size_t b, std::size_t r, int sender) {
    const auto [nodes, hidden, channels, in] = sizes;
    u.resize(hidden), y.resize(hidden), m.resize(hidden);
    const bool from_memory = sender >= static_cast<int>(nodes);
    const Number* values = in.x + ((b * nodes + sender) * nodes + r) * channels;
    for (std::size_t h = 0; h < hidden; ++h) {
      Number x;
      if (from_memory) {
        x = in.memory[sizes.memory_row(b, r, sender) + h];
      } else {
        x = in.recv[(b * nodes + r) * hidden + h] + in.send[(b * nodes + sender) * hidden + h];
        for (std::size_t k = 0; k < channels; ++k) x += values[k] * in.c[k * hidden + h];
      }
      u[h] = x < 0 ? 0 : x;
    }
    layer(u, in.w0, in.b0, y);
    for (auto& value : y) value = value < 0 ? 0 : value;
    layer(y, in.w1, in.b1, m);
  }

  static void layer(const std::vector<Number>& from, const Number* w, const Number* b,
                    std::vector<Number>& to) {
    const std::size_t hidden = from.size();
    for (std::size_t f = 0; f < hidden; ++f) to[f] = b[f];
    for (std::size_t h = 0; h < hidden; ++h) {
      for (std::size_t f = 0; f < hidden; ++f) to[f] += from[h] * w[h * hidden + f];
    }
  }
};

}  // namespace

template <class Number>
void message_forward_reference(const MessageShape& shape, const MessageInputs<Number>& in,
                               Number* agg, std::uint16_t* arg) {
  const Sizes<Number> sizes{static_cast<std::size_t>(shape.nodes),
                            static_cast<std::size_t>(shape.hidden),
                            static_cast<std::size_t>(shape.channels), in};
  const auto [nodes, hidden, channels, same] = sizes;
  for (std::size_t b = 0; b < static_cast<std::size_t>(shape.batch); ++b) {
    for (std::size_t r = 0; r < nodes; ++r) {
      Number* best = agg + (b * nodes + r) * hidden;
      std::uint16_t* who = arg + (b * nodes + r) * hidden;
      auto senders = sizes.heard(b, r);
      const bool all = senders.size() == nodes;
      std::fill_n(best, hidden,
                  all ? -std::numeric_limits<Number>::infinity() : Number(kNoMessage));
      std::fill_n(who, hidden, kNobody);
      if (has_own_row(in.delivery)) senders.push_back(shape.nodes);
      if (in.delivery == Delivery::All) {
        for (int k = 0; k < shape.nodes; ++k) senders.push_back(shape.nodes + k);
      }
      for (const int s : senders) {
        const Message<Number> message(sizes, b, r, s);
        for (std::size_t f = 0; f < hidden; ++f) {
          const Number m = message.m[f];
          if (m > best[f] || std::isnan(m)) {
            best[f] = m;
            who[f] = static_cast<std::uint16_t>(s);
          }
        }
      }
    }
  }
}

template <class Number>
void message_backward_reference(const MessageShape& shape, const MessageInputs<Number>& in,
                                const std::uint16_t* arg, const Number* dagg,
                                const MessageGradients<Number>& out) {
  const Sizes<Number> sizes{static_cast<std::size_t>(shape.nodes),
                            static_cast<std::size_t>(shape.hidden),
                            static_cast<std::size_t>(shape.channels), in};
  const auto [nodes, hidden, channels, same] = sizes;
  const std::size_t batch = static_cast<std::size_t>(shape.batch);
  clear(out.recv, batch * nodes * hidden), clear(out.send, batch * nodes * hidden);
  if (in.delivery != Delivery::Nobody) clear(out.memory, batch * nodes * hidden);
  clear(out.x, batch * nodes * nodes * channels);
  clear(out.c, channels * hidden), clear(out.w0, hidden * hidden), clear(out.w1, hidden * hidden);
  clear(out.b0, hidden), clear(out.b1, hidden);

  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t r = 0; r < nodes; ++r) {
      const Number* d = dagg + (b * nodes + r) * hidden;
      const std::uint16_t* who = arg + (b * nodes + r) * hidden;
      std::vector<std::uint16_t> winners(who, who + hidden);
      std::sort(winners.begin(), winners.end());
      winners.erase(std::unique(winners.begin(), winners.end()), winners.end());
      for (const auto s : winners) {
        if (s == kNobody) continue;
        const Message<Number> message(sizes, b, r, s);
        std::vector<Number> dp(hidden), dx(hidden);
        for (std::size_t f = 0; f < hidden; ++f) {
          if (who[f] != s) continue;
          add(out.b1, f, d[f]);
          for (std::size_t h = 0; h < hidden; ++h) {
            add(out.w1, h * hidden + f, message.y[h] * d[f]);
            dp[h] += d[f] * in.w1[h * hidden + f];
          }
        }
        for (std::size_t h = 0; h < hidden; ++h) {
          if (!(message.y[h] > 0)) dp[h] = 0;
          add(out.b0, h, dp[h]);
        }
        for (std::size_t h = 0; h < hidden; ++h) {
          for (std::size_t f = 0; f < hidden; ++f) {
            add(out.w0, h * hidden + f, message.u[h] * dp[f]);
            dx[h] += dp[f] * in.w0[h * hidden + f];
          }
          if (!(message.u[h] > 0)) dx[h] = 0;
        }
        const bool from_memory = s >= nodes;
        const std::size_t pair = ((b * nodes + s) * nodes + r) * channels;
        for (std::size_t h = 0; h < hidden; ++h) {
          if (from_memory) {
            add(out.memory, sizes.memory_row(b, r, s) + h, dx[h]);
            continue;
          }
          add(out.recv, (b * nodes + r) * hidden + h, dx[h]);
          add(out.send, (b * nodes + s) * hidden + h, dx[h]);
          for (std::size_t k = 0; k < channels; ++k) {
            add(out.c, k * hidden + h, in.x[pair + k] * dx[h]);
            if (!out.x_channels || out.x_channels[k])
              add(out.x, pair + k, dx[h] * in.c[k * hidden + h]);
          }
        }
      }
    }
  }
}

template void message_forward_reference(const MessageShape&, const MessageInputs<float>&, float*,
                                        std::uint16_t*);
template void message_forward_reference(const MessageShape&, const MessageInputs<double>&, double*,
                                        std::uint16_t*);
template void message_backward_reference(const MessageShape&, const MessageInputs<float>&,
                                         const std::uint16_t*, const float*,
                                         const MessageGradients<float>&);
template void message_backward_reference(const MessageShape&, const MessageInputs<double>&,
                                         const std::uint16_t*, const double*,
                                         const MessageGradients<double>&);

}  // namespace npq::kernels
