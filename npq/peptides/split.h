#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace npq::peptides {

enum class Part { Train, Val, Test };
inline constexpr std::array<std::string_view, 3> kPartNames = {"train", "val", "test"};

/// Which graphs belong to which part, by number.
struct Split {
  std::array<std::vector<std::int64_t>, 3> parts;

  std::vector<std::int64_t>& operator[](Part part) { return parts[static_cast<int>(part)]; }
  const std::vector<std::int64_t>& operator[](Part part) const {
    return parts[static_cast<int>(part)];
  }
};

/// A Python pickle of {'train', 'val', 'test'} -> numpy arrays or lists of row numbers, or the same
/// as JSON ("valid" may stand for "val"). The pickle is read as data: nothing in it is run, and any
/// name outside numpy's arrays is an Error.
Split read_split(const std::filesystem::path& path);

/// An Error if a row is out of range or named twice; returns how many of `rows` no part has.
std::int64_t check_split(const Split& split, std::int64_t rows, const std::string& name);

/// 70, 15 and 15 percent, shuffled by the seed.
Split random_split(std::int64_t rows, std::uint64_t seed);

}  // namespace npq::peptides
