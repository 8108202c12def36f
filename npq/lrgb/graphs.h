#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <vector>

#include "npq/kernels/edge_attention/edge_attention.h"
#include "npq/lrgb/options.h"
#include "npq/ops/sparse/sparse_matrix.h"
#include "npq/peptides/graph.h"

namespace npq::lrgb {

/// Graphs of about the same size, padded to the largest of them: a memory works on whole blocks.
struct Shelf {
  std::int64_t graphs = 0, largest = 0;  // how many, and the nodes of the largest
  std::int64_t first = 0;                // its first row of Graphs::padded
  std::vector<std::int64_t> members;     // which graphs
  at::Tensor mask;                       // [graphs, largest] bool: the rows that are nodes

  std::int64_t rows() const { return graphs * largest; }
};

/// Graphs side by side: the nodes of all of them in one row (n), their edges in another (m). Only
/// what a base needs is there.
struct Graphs {
  std::int64_t graphs = 0, nodes = 0, edges = 0;

  ops::SparseMatrix atoms;  // [n, all rows of all atom tables]: marks the nine of each atom
  ops::SparseMatrix bonds;  // [m, all rows of all bond tables]; GINE

  ops::SparseMatrix neighbours;  // [n, n]: 1 / sqrt(d_i d_j) with self loops, d with the loop; GCN
  ops::SparseMatrix senders;     // [m, n]: row e is the node that edge e comes from; GINE
  ops::SparseMatrix
      receivers;  // [m, n]: ... goes to; its transpose adds up what reaches a node; GINE
  std::shared_ptr<const kernels::EdgeLists> heard;  // with a self loop per node; GATv2

  ops::SparseMatrix means;   // [graphs, n]: the mean over the nodes of each graph
  ops::SparseMatrix sums;    // [graphs, n]: their sum
  ops::SparseMatrix padded;  // [rows of all shelves, n]: each graph's nodes, then rows of zeros
  std::vector<Shelf> shelves;
};

Graphs join_graphs(std::span<const peptides::Graph* const> graphs, Base base);

/// The targets of these rows as [graphs, 11].
at::Tensor target_tensor(const std::vector<peptides::Targets>& targets, at::ScalarType dtype);

}  // namespace npq::lrgb
