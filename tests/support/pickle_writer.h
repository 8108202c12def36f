#pragma once
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace npq::test {

/// Pickles of protocol 3 with dicts, tuples and float32 arrays, written instruction by instruction.
class PickleWriter {
 public:
  PickleWriter() { code_ = "\x80\x03"; }

  PickleWriter& begin_dict() { return add("}("); }
  PickleWriter& end_dict() { return add("u"); }
  PickleWriter& begin_tuple() { return add("("); }
  PickleWriter& end_tuple() { return add("t"); }
  PickleWriter& text(const std::string& value) {
    return add("X").number(static_cast<std::uint32_t>(value.size())).add(value);
  }
  PickleWriter& integer(std::uint32_t value) { return add("J").number(value); }
  PickleWriter& global(const std::string& module, const std::string& name) {
    return add("c" + module + "\n" + name + "\n");
  }
  /// Calls the global below the tuple on top.
  PickleWriter& reduce() { return add("R"); }
  /// The same with __new__.
  PickleWriter& new_object() { return add("\x81"); }

  PickleWriter& array(const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
    global("numpy.core.multiarray", "_reconstruct").array_arguments();
    reduce().array_state(shape, values);
    return add("b");
  }
  /// As newer versions of jax save their arrays.
  PickleWriter& jax_array(const std::vector<std::int64_t>& shape,
                          const std::vector<float>& values) {
    global("jax._src.array", "_reconstruct_array").begin_tuple();
    global("numpy.core.multiarray", "_reconstruct").array_arguments();
    array_state(shape, values).begin_dict().end_dict();
    return end_tuple().reduce();
  }

  std::string finish() const { return code_ + "."; }

 private:
  PickleWriter& add(const std::string& code) {
    code_ += code;
    return *this;
  }
  PickleWriter& number(std::uint32_t value) {
    char bytes[4];
    std::memcpy(bytes, &value, 4);
    return add(std::string(bytes, 4));
  }
  PickleWriter& array_arguments() {
    begin_tuple().global("numpy", "ndarray").begin_tuple().integer(0).end_tuple();
    return text("b").end_tuple();
  }
  PickleWriter& array_state(const std::vector<std::int64_t>& shape,
                            const std::vector<float>& values) {
    begin_tuple().integer(1).begin_tuple();
    for (const auto size : shape) integer(static_cast<std::uint32_t>(size));
    end_tuple().global("numpy", "dtype").begin_tuple().text("f4").integer(0).integer(1);
    end_tuple().reduce().begin_tuple().integer(3).text("<");
    add("NNN").integer(0xffffffff).integer(0xffffffff).integer(0).end_tuple().add("b");
    add("\x89");  // rows, not columns
    const auto size = static_cast<std::uint32_t>(values.size() * sizeof(float));
    add("B").number(size).add(std::string(reinterpret_cast<const char*>(values.data()), size));
    return end_tuple();
  }

  std::string code_;
};

}  // namespace npq::test
