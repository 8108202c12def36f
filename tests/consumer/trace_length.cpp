// Draws the first graph of the official Dijkstra training split, runs Dijkstra on it and prints how
// long its trace is.
#include <npq/clrs/dataset/dataset.h>

#include <iostream>

int main() {
  const auto& dijkstra = npq::clrs::find_algorithm("dijkstra");
  const auto dataset = npq::clrs::generate(dijkstra, {.seed = 1, .length = 16, .samples = 1});
  std::cout << "T = " << dataset.samples.front().length() << "\n";
}
