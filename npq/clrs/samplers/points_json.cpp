// Points and segments of a user.
#include "npq/clrs/samplers/json_fields.h"

namespace npq::clrs {
namespace {

bool same(const Points& at, std::size_t a, std::size_t b) {
  return at.x[a] == at.x[b] && at.y[a] == at.y[b];
}

/// A hull needs three points that are not on one line.
void check_spread(const JsonFields& fields, const Points& at) {
  const std::size_t n = at.x.size();
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b)
      if (same(at, a, b))
        fields.fail("points {} and {} are the same, ({}, {}); leave one out", a, b, at.x[a],
                    at.y[a]);
  for (std::size_t c = 2; c < n; ++c)
    if ((at.x[1] - at.x[0]) * (at.y[c] - at.y[0]) != (at.y[1] - at.y[0]) * (at.x[c] - at.x[0]))
      return;
  fields.fail("all points of 'x' and 'y' lie on one line; a hull needs three that do not");
}

}  // namespace

Points read_points(JsonFields& fields) {
  Points points{fields.numbers("x"), fields.numbers("y")};
  fields.check_same_length("x", points.x.size(), "y", points.y.size());
  fields.check_length("x", points.x.size());
  check_spread(fields, points);
  return points;
}

Points read_segments(JsonFields& fields) {
  const auto& segments = fields.get("segments");
  if (!segments.is_array() || segments.size() != 2)
    fields.fail("'segments' must be a list of two segments, [x1, y1, x2, y2] each");
  Points ends;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto place = fmt::format("segments[{}]", k);
    if (!segments[k].is_array() || segments[k].size() != 4)
      fields.fail("{} must be four numbers, [x1, y1, x2, y2]", place);
    for (std::size_t c = 0; c < 4; ++c) {
      const double value = fields.number_at(segments[k][c], fmt::format("{}[{}]", place, c));
      (c % 2 == 0 ? ends.x : ends.y).push_back(value);
    }
    if (same(ends, 2 * k, 2 * k + 1))
      fields.fail("{} begins where it ends; give two points", place);
  }
  return ends;
}

}  // namespace npq::clrs
