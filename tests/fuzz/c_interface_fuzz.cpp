// The C interface called in any order, with handles of every kind, freed ones and ones that were
// never given, sizes, texts and null pointers: each call ends with a status, and one that fails
// writes nothing.
#include <algorithm>
#include <deque>

#include "tests/fuzz/c_calls.h"

namespace {

using npq::fuzz::done;
using npq::fuzz::Draw;
using npq::fuzz::must;

constexpr std::int64_t kHuge = std::int64_t{1} << 62;

/// A JSON object of options, mostly sound. `few`: what keeps it from a thousand samples.
std::string options(Draw& draw, const std::string& few) {
  std::string text = "{" + few + R"(, "algorithm": ")";
  text += draw.one_of({"bfs", "dijkstra", "kmp_matcher", "minimum", "quickselect", "graham_scan",
                       "task_scheduling", "heapsort", "optimal_bst", "bsf", ""});
  text += R"(", "nodes": )";
  text += draw.one_of({"4", "5", "[4, 5]", "0", "-1", "2147483647", "[]", "null", "4.5", "1e999"});
  for (int left = draw.byte() % 4; left > 0; --left) {
    text += std::string(", \"") +
            draw.one_of({"seed", "p", "generator", "low", "high", "k", "eps", "length_2", "chars",
                         "length_needle", "max_deadline", "origin_x", "radius", "truncate_decimals",
                         "slots"}) +
            "\": ";
    text += draw.one_of({"2", "3", "0.5", "0", "-1", "[0.1, 0.9]", "[]", "null", "\"head\"", "true",
                         "false", "2147483647", "-2147483648", "9007199254740993", "-0.5", "1e300",
                         "{}"});
  }
  return text + "}";
}

class Caller {
 public:
  explicit Caller(Draw& draw) : draw_(draw) {
    // One of each kind, so that short inputs reach far.
    keep(npq_clrs_generate(R"({"algorithm": "bfs", "nodes": 4, "samples": 3})", &out_));
    const std::int64_t all[] = {0, 1, 2};
    keep(npq_clrs_batch(handles_[0], all, 3, 0, NPQ_AS_STORED, &out_));
    keep(npq_clrs_sampler(
        R"({"algorithm": "bfs", "nodes": 4, "batch": 2, "track_max_steps": false})", &out_));
    keep(npq_clrs_sampler_position(handles_[2], &out_));
    must(handles_.size() == 4, "what is sound is done");
  }

  ~Caller() {
    for (const auto handle : handles_) must(npq_free(handle) == NPQ_OK, "what was given is freed");
    for (const auto handle : handles_) must(npq_free(handle) != NPQ_OK, "but once");
  }

  void call() {
    switch (draw_.byte() % 20) {
      case 0:
        return keep(
            npq_clrs_generate(text(options(draw_, "\"samples\": " + samples_text())), out()));
      case 1:
        return keep(
            npq_clrs_load(text(draw_.one_of({"minimum", "bfs", "task_scheduling", "x", ""})),
                          text(draw_.one_of({"val", "tset", ""})), out()));
      case 2:
        return keep(npq_clrs_describe(handle(), out()));
      case 3: {
        const auto count = draw_.one_of<std::size_t>({3, 0, 1, 32, 4000, ~std::size_t{0}});
        auto* lengths =
            draw_.or_null(draw_.room<std::int64_t>({static_cast<std::int64_t>(count)}, {0}));
        done(npq_clrs_lengths(handle(), lengths, count));
        return;
      }
      case 4:
        return keep(npq_clrs_sample(handle(), index(), numbers(), out()));
      case 5: {
        const auto [indices, count] = samples();
        return keep(npq_clrs_batch(handle(), indices, count, steps(), numbers(), out()));
      }
      case 6:
        return keep(npq_clrs_sampler(
            text(options(draw_, R"("track_max_steps": false, "batch": )" + samples_text())),
            out()));
      case 7:
        return keep(npq_clrs_next(handle(), numbers(), out()));
      case 8:
        return keep(npq_clrs_sampler_position(handle(), out()));
      case 9:
        return keep(npq_clrs_sampler_resume(
            text(R"({"algorithm": "bfs", "nodes": 4, "batch": 2, "track_max_steps": false})"),
            text(position()), out()));
      case 10:
        return evaluate();
      case 11:
        return keep(npq_memory_catalog(out()));
      case 12:
        return keep(npq_memory_options(
            text(draw_.one_of({"npq_w", "NPQ_M-P-SV", "lstm", "oracle", "npq_x", ""})),
            text(draw_.one_of({"paper", "reference", "mine"})), text(flags()), out()));
      case 13:
        return keep(npq_clrs_catalog(out()));
      case 14: {
        const char* bytes = nullptr;
        std::size_t length = 0;
        if (done(npq_text(handle(), draw_.or_null(&bytes), draw_.or_null(&length))))
          must(std::strlen(bytes) == length, "a zero behind the text");
        return;
      }
      case 15: {
        std::size_t count = 0;
        done(npq_arrays(handle(), draw_.or_null(&count)));
        return;
      }
      case 16:
        return array();
      case 17:
        return free();
      case 18:
        done(npq_set_threads(draw_.one_of<std::int32_t>({1, 2, 3, 0, -1, -2147483647})));
        return;
      default:
        must(npq_threads() > 0 && npq_abi_version() == NPQ_ABI_VERSION, "questions have answers");
        must(npq_version()[0] != '\0', "a version");
    }
  }

 private:
  npq_handle handle() {
    const std::size_t at = draw_.byte() % (handles_.size() + 3);
    if (at < handles_.size()) return handles_[at];
    return draw_.one_of<npq_handle>({0, ~npq_handle{0}, freed_, last_ + 1});
  }
  npq_handle* out() {
    out_ = 0;
    return draw_.or_null(&out_);
  }
  const char* text(std::string text) {
    texts_.push_back(std::move(text));
    return draw_.or_null(texts_.back().c_str());
  }
  std::int64_t index() { return draw_.one_of<std::int64_t>({0, 1, 2, 3, -1, kHuge, -kHuge}); }
  std::int64_t steps() {
    return draw_.one_of<std::int64_t>({0, 1, 9, 2147483647, 1 << 30, -1, kHuge});
  }
  std::int32_t numbers() { return draw_.one_of<std::int32_t>({0, 1, 2, -1}); }

  std::pair<const std::int64_t*, std::size_t> samples() {
    const auto count = draw_.one_of<std::size_t>({3, 1, 2, 0, ~std::size_t{0}});
    return {draw_.or_null(draw_.room<std::int64_t>({static_cast<std::int64_t>(count)},
                                                   {0, 1, 2, 0, 1, 2, 3, -1})),
            count};
  }

  std::string samples_text() {
    return draw_.one_of({"2", "3", "1", "2147483647", "0", "-1", "0.5", "[]", "true"});
  }

  std::string flags() {
    if (draw_.byte() % 4 == 3) return draw_.bytes(20);
    return std::string("{\"") + draw_.one_of({"slots", "queue-width", "push-pool", "carry", "x"}) +
           "\": " + draw_.one_of({"4", "0", "\"mean\"", "true", "2147483648", "4.5", "[]"}) + "}";
  }

  /// The position of some sampler, with one byte changed now and then; or anything.
  std::string position() {
    const char* bytes = nullptr;
    std::size_t length = 0;
    if (npq_text(handle(), &bytes, &length) != NPQ_OK) return draw_.bytes(20);
    std::string text(bytes, std::min<std::size_t>(length, 20000));
    const std::size_t at = draw_.byte() * 256 + draw_.byte();
    const auto other = static_cast<char>(draw_.byte());
    if (at < text.size() && other != '\0') text[at] = other;
    return text;
  }

  void evaluate() {
    npq_array arrays[2] = {};
    for (auto& array : arrays) {
      array.stage = draw_.or_null("output");
      array.name = draw_.or_null(draw_.one_of({"pi", "pj", "", "min"}));
      array.dtype = draw_.one_of<std::int32_t>({NPQ_FLOAT64, NPQ_INT64, -1});
      array.axes = draw_.one_of<std::int32_t>({2, 1, 0, 8, 9, -1, 2147483647});
      std::int64_t count = 1;
      for (int axis = 0; axis < NPQ_MOST_AXES; ++axis) {
        array.shape[axis] = draw_.one_of<std::int64_t>({axis ? 4 : 3, 1, 2, 0, -1, kHuge});
        if (axis < array.axes)
          count = count < 0 || count > 4096
                      ? -1
                      : count * std::min<std::int64_t>(array.shape[axis], 5000);
      }
      array.data = draw_.or_null(draw_.room<double>({count}, {1, 0, 2, 3, 1, 0.5, -1, 1e300}));
    }
    const auto [indices, count] = samples();
    keep(npq_clrs_evaluate(handle(), indices, count, draw_.or_null(&arrays[0]),
                           draw_.one_of<std::size_t>({1, 2, 0}), out()));
  }

  /// What is shown of an array can be read to its end.
  void array() {
    npq_array array{};
    const auto which = draw_.one_of<std::size_t>({0, 1, 2, 3, 4, 5, 99, ~std::size_t{0}});
    if (!done(npq_array_at(handle(), which, draw_.or_null(&array)))) return;
    std::size_t bytes = array.dtype == NPQ_FLOAT32 ? 4 : 8;
    for (int axis = 0; axis < array.axes; ++axis) bytes *= array.shape[axis];
    const std::vector<std::byte> copy(static_cast<std::byte*>(array.data),
                                      static_cast<std::byte*>(array.data) + bytes);
    must(copy.size() == bytes && array.name && array.stage, "an array is whole");
  }

  void free() {
    const auto which = handle();
    const auto found = std::find(handles_.begin(), handles_.end(), which);
    must(done(npq_free(which)) == (found != handles_.end()), "what was given is freed once");
    if (found == handles_.end()) return;
    freed_ = which;
    handles_.erase(found);
  }

  void keep(npq_status status) {
    if (!done(status)) return must(out_ == 0, "what fails writes nothing");
    must(out_ > last_, "a handle is never given twice");
    last_ = out_;
    handles_.push_back(out_);
    out_ = 0;
  }

  Draw& draw_;
  std::vector<npq_handle> handles_;
  std::deque<std::string> texts_;  // where they lie they stay
  npq_handle out_ = 0, freed_ = 0;
  static inline npq_handle last_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Draw draw(data, size);
  Caller caller(draw);
  constexpr int kMostCalls = 12;
  for (int k = 0; k < kMostCalls && draw.more(); ++k) caller.call();
  return 0;
}
