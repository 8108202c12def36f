#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "npq/clrs/catalog.h"
#include "npq/clrs/samplers/inputs.h"

// A user's own input, written as JSON. The algorithms trust what they are given, so everything they
// rely on is checked here; each rule that is broken is one Error that names the field.
namespace npq::clrs {

inline constexpr int kMostNodesOfAnInput = 1024;  // a network keeps several numbers per pair
inline constexpr double kLargestNumberOfAnInput = 1e9;

/// The formats, for a help page:
///   lists       {"key": [3, 1, 2]}                   sorts, minimum, quickselect, kadane
///               {"key": [1, 2, 3], "target": 2}      binary_search, keys in order
///               {"p": [30, 35, 15]}                  matrix_chain_order
///               {"p": [..n], "q": [..n+1]}           optimal_bst
///               {"start": [..], "finish": [..]}      activity_selector
///               {"deadline": [..], "weight": [..]}   task_scheduling
///               {"key": [..], "pop_after": [0, 1, ..]}  priority_queue, stack, queue
///   strings     {"text": "ABAD", "pattern": "BA"}    string matchers; letters A to D
///               {"x": "ABC", "y": "BCD"}             lcs_length
///   graphs      {"nodes": 3, "edges": [[0, 1, 0.5], [1, 2, 2]], "source": 0}
///               or {"A": [[..], ..], "s": 0}
///   points      {"x": [..], "y": [..]}               hulls
///               {"segments": [[x1, y1, x2, y2], [x1, y1, x2, y2]]}
/// Edges without a weight belong to algorithms that know none; "source" to those that start
/// somewhere. An edge of "edges" goes both ways unless the algorithm is about directed graphs or
/// "directed": true says otherwise; a matrix "A" is taken as it is, 0 for no edge.
Inputs inputs_from_json(const Algorithm& algorithm, const nlohmann::json& json,
                        const std::string& source);

/// The same from text; malformed JSON, or a name that is there twice, is an Error.
Inputs parse_inputs(const Algorithm& algorithm, std::string_view text, const std::string& source);

struct NamedInputs {
  std::string name;  // "'mine.json'", "'mine.json', line 2"
  Inputs inputs;
};

/// All inputs in a file, or on standard input where `path` is "-": one object, an array of them, or
/// one per line.
std::vector<NamedInputs> read_all_inputs(const Algorithm& algorithm,
                                         const std::filesystem::path& path);

/// What a file for this algorithm looks like, in one line.
std::string input_format(const Algorithm& algorithm);

}  // namespace npq::clrs
