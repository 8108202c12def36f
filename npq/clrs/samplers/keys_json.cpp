// Numbers on nodes, as a user gives them: keys, activities, tasks, the weights of a search tree.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "npq/clrs/samplers/inputs_json.h"
#include "npq/clrs/samplers/json_fields.h"

namespace npq::clrs {

Keys read_keys(JsonFields& fields) {
  Keys keys{fields.numbers("key")};
  fields.check_length("key", keys.key.size());
  return keys;
}

SortedKeysAndTarget read_sorted_keys(JsonFields& fields) {
  SortedKeysAndTarget in{fields.numbers("key"), fields.number("target")};
  fields.check_length("key", in.key.size());
  const auto fall = std::is_sorted_until(in.key.begin(), in.key.end()) - in.key.begin();
  if (fall != static_cast<std::ptrdiff_t>(in.key.size()))
    fields.fail("key[{}] is {}, less than key[{}]; binary_search needs its keys in rising order",
                fall, in.key[fall], fall - 1);
  return in;
}

Keys read_dimensions(JsonFields& fields) {
  Keys keys{fields.numbers("p")};
  fields.check_length("p", keys.key.size());
  for (std::size_t i = 0; i < keys.key.size(); ++i)
    if (keys.key[i] <= 0)
      fields.fail("p[{}] is {}; matrices have more than 0 rows and columns", i, keys.key[i]);
  return keys;
}

SearchTree read_search_tree(JsonFields& fields) {
  SearchTree tree{fields.numbers("p"), fields.numbers("q")};
  fields.check_length("p", tree.p.size());
  if (tree.p.size() >= kMostNodesOfAnInput)
    fields.fail("'p' has {} entries; at most {} are possible", tree.p.size(),
                kMostNodesOfAnInput - 1);
  if (tree.q.size() != tree.p.size() + 1)
    fields.fail("'p' has {} keys and 'q' has {} gaps; expected one gap more than keys",
                tree.p.size(), tree.q.size());
  for (const auto& [name, list] : {std::pair("p", &tree.p), std::pair("q", &tree.q)})
    for (std::size_t i = 0; i < list->size(); ++i)
      if ((*list)[i] < 0)
        fields.fail("{}[{}] is {}; a probability is not negative", name, i, (*list)[i]);
  const double sum = std::accumulate(tree.p.begin(), tree.p.end(), 0.0) +
                     std::accumulate(tree.q.begin(), tree.q.end(), 0.0);
  if (std::abs(sum - 1) > 1e-6)
    fields.fail("'p' and 'q' together sum to {}; probabilities sum to 1", sum);
  return tree;
}

Activities read_activities(JsonFields& fields) {
  Activities in{fields.numbers("start"), fields.numbers("finish")};
  fields.check_same_length("start", in.s.size(), "finish", in.f.size());
  fields.check_length("start", in.s.size());
  for (std::size_t i = 0; i < in.s.size(); ++i)
    if (in.f[i] < in.s[i])
      fields.fail("finish[{}] is {}, before start[{}], which is {}", i, in.f[i], i, in.s[i]);
  return in;
}

Tasks read_tasks(JsonFields& fields) {
  Tasks tasks;
  tasks.w = fields.numbers("weight");
  fields.check_length("weight", tasks.w.size());
  const auto& deadlines = fields.get("deadline");
  if (!deadlines.is_array())
    fields.fail("'deadline' is {}; expected a list", deadlines.type_name());
  fields.check_same_length("deadline", deadlines.size(), "weight", tasks.w.size());
  for (std::size_t i = 0; i < deadlines.size(); ++i) {
    const auto most = static_cast<std::int64_t>(deadlines.size());
    tasks.d.push_back(
        static_cast<int>(fields.integer_at(deadlines[i], fmt::format("deadline[{}]", i), 1, most)));
    if (tasks.w[i] < 0) fields.fail("weight[{}] is {}; a penalty is not negative", i, tasks.w[i]);
  }
  return tasks;
}

Operations read_operations(JsonFields& fields) {
  Operations in{fields.numbers("key"), {}};
  fields.check_length("key", in.key.size());
  const auto& pops = fields.get("pop_after");
  if (!pops.is_array()) fields.fail("'pop_after' is {}; expected a list", pops.type_name());
  fields.check_same_length("pop_after", pops.size(), "key", in.key.size());
  for (std::size_t i = 0; i < pops.size(); ++i)
    in.pop_after.push_back(static_cast<std::int8_t>(
        fields.integer_at(pops[i], fmt::format("pop_after[{}]", i), 0, 1)));
  return in;
}

}  // namespace npq::clrs
