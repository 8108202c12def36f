// What read_events.py calls:
//   event_file_program append FOLDER STEP TAG VALUE [TAG VALUE...]
//   event_file_program cut FOLDER STEP
//   event_file_program print FILE            one line "STEP TAG VALUE" for every scalar
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "npq/base/error.h"
#include "npq/base/files/event_file.h"

namespace {

void print(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string content(std::istreambuf_iterator<char>(file), {});
  npq::EventReader reader(content, path);
  while (const auto event = reader.next()) {
    for (const auto& scalar : event->scalars) {
      fmt::print("{} {} {}\n", event->step, scalar.tag, scalar.value);
    }
  }
}

void append(const std::vector<std::string>& words) {
  std::vector<npq::Scalar> scalars;
  for (std::size_t k = 3; k + 1 < words.size(); k += 2) {
    scalars.push_back({words[k], std::stof(words[k + 1])});
  }
  npq::EventFile(words.at(1)).append(std::stoll(words.at(2)), scalars);
}

}  // namespace

int main(int count, char** arguments) try {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.at(0) == "append") {
    append(words);
  } else if (words.at(0) == "cut") {
    npq::EventFile(words.at(1)).cut_beyond_step(std::stoll(words.at(2)));
  } else if (words.at(0) == "print") {
    print(words.at(1));
  } else {
    throw npq::UsageError("no command '{}'; known: append, cut, print", words.at(0));
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "event_file_program: %s\n", error.what());
  return 1;
}
