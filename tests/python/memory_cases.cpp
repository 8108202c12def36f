// memory_cases FILE: unrolls every memory of the catalog with every value of every flag in float64,
// with and without padding, and writes parameters, messages, last states and gradients as safetensors. The Python memories
// must agree with them.
#include <ATen/ops/stack.h>
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "npq/base/formats/safetensors_writer.h"
#include "npq/memory/flags.h"
#include "tests/memory/contract_cases.h"
#include "tests/memory/support.h"

namespace npq::test {
namespace {

using nlohmann::json;

struct Unrolled {
  std::string memory;
  std::vector<std::pair<std::string, std::string>> flags;
  Preset preset = Preset::Paper;
  bool masked = false;  // graph b has b % 3 nodes of padding
};

/// As it is, by the authors' preset, and with each value of each flag and so few slots that they
/// overflow.
std::vector<Unrolled> row_cases(const Row& row) {
  const std::string name(row.name);
  std::vector<Unrolled> cases{{name, {}}};
  if (row.kind == Kind::PriorityQueue) cases.push_back({name, {}, Preset::Reference});
  std::vector<std::pair<std::string, std::string>> tight;
  if (has_slots(row.kind)) tight = {{"slots", "3"}};
  for (const auto& [flag, value] : flag_values(memory_options(name)))
    for (const auto& known : flags())
      for (const auto& choice : known.choices) {
        if (known.name != flag) continue;
        auto with = tight;
        with.emplace_back(flag, choice);
        if (flag == "single-head-skip") with.emplace_back("queue-heads", "1");
        cases.push_back({name, with});
      }
  return cases;
}

std::vector<Unrolled> cases() {
  std::vector<Unrolled> all;
  for (const auto& row : catalog()) {
    if (row.kind == Kind::None) continue;
    for (auto& one : row_cases(row)) {
      all.push_back(one);
      one.masked = true;
      if (row.kind != Kind::Oracle) all.push_back(one);
    }
  }
  return all;
}

/// True for the real nodes of a case with padding, [B, N].
at::Tensor real_nodes() {
  const auto padding = at::arange(B, at::kLong).remainder(3).unsqueeze(1);
  return at::arange(N, at::kLong).lt(N - padding);
}

class File {
 public:
  void add(const std::string& name, const at::Tensor& tensor) {
    kept_.push_back(tensor.detach().to(at::kDouble).contiguous());
    const auto& numbers = kept_.back();
    arrays_.push_back({name,
                       Dtype::F64,
                       numbers.sizes().vec(),
                       {static_cast<const std::byte*>(numbers.data_ptr()), numbers.nbytes()}});
  }
  void write(const std::filesystem::path& path, const json& about) const {
    write_safetensors(path, arrays_, {{"cases", about.dump()}});
  }

 private:
  std::vector<at::Tensor> kept_;
  std::vector<NamedTensor> arrays_;
};

void add_case(File& file, const std::string& id, const Unrolled& one) {
  auto options = memory_options(one.memory, one.preset);
  for (const auto& [flag, value] : one.flags) set_flag(options, flag, value);
  const auto memory = make_memory(options, Z, Mw);
  const auto parameters = some_parameters(*memory, 1);
  const auto z = numbers({T, B, N, Z}, 2).set_requires_grad(true);
  auto batch = some_batch();
  if (one.masked) batch.node_mask = real_nodes();
  const auto run = unroll(*memory, parameters, z, batch, options.carry);
  const auto messages = at::stack(run.messages);
  auto cotangent = numbers({T, B, N, Mw}, 3);
  // What padding hears means nothing.
  if (one.masked) cotangent = cotangent * real_nodes().unsqueeze(-1);
  (messages * cotangent).sum().backward();
  file.add(id + "/messages", messages);
  file.add(id + "/grad/z", gradient(z));
  for (const auto& [name, value] : parameters) {
    file.add(id + "/param/" + name.substr(7), value);
    file.add(id + "/grad/" + name.substr(7), gradient(value));
  }
  for (const auto& [name, tensor] : run.states.back().tensors)
    file.add(id + "/state/" + name, tensor);
}

void write_cases(const std::filesystem::path& path) {
  File file;
  auto about = json::array();
  for (const auto& one : cases()) {
    add_case(file, std::to_string(about.size()), one);
    auto flags = json::object();
    for (const auto& [flag, value] : one.flags) flags[flag] = value;
    const auto* const preset = one.preset == Preset::Paper ? "paper" : "reference";
    about.push_back(
        {{"memory", one.memory}, {"preset", preset}, {"flags", flags}, {"masked", one.masked}});
  }
  file.add("z", numbers({T, B, N, Z}, 2));
  file.add("cotangent", numbers({T, B, N, Mw}, 3));
  file.add("real", real_nodes());
  file.add("order", some_batch().schedule_order);
  file.add("children", some_batch().schedule_children);
  file.write(path, about);
  fmt::print("{} cases\n", about.size());
}

}  // namespace
}  // namespace npq::test

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: memory_cases FILE\n");
    return 2;
  }
  npq::test::write_cases(arguments[1]);
}
