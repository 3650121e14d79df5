// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_SEARCH_TOPOLOGY_HPP
#define INLAY_BENCHMARKS_SEARCH_TOPOLOGY_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/search/problem.hpp>

namespace bench {

/// A network as a search sees it: what each node does, in a word, on tensors of which size, in a number, and who reads whom.
/// Weights are no nodes. Operands come before users.
struct topology {
    struct layer {
        std::string_view op;
        /// Nodes of one network with equal `op` and `shape` do equal work.
        std::uint32_t shape = 0;
    };
    std::vector<layer> nodes;
    std::vector<inlay::problem_edge> edges;
};

/// Networks for inference, from the architectures as published; normalisation of convolutions is a node of its own.

/// He et al. 2016: bottlenecks (3, 4, 6, 3), projections at the first of each stage. 177 nodes, 192 edges.
[[nodiscard]] topology resnet50();
/// Sandler et al. 2018: 17 inverted residuals, 10 of them with a sum. 152 nodes, 161 edges.
[[nodiscard]] topology mobilenet_v2();
/// Iandola et al. 2016: 8 fire modules; a convolution and its bias are two nodes. 92 nodes, 99 edges.
[[nodiscard]] topology squeezenet();
/// Szegedy et al. 2016: 94 convolutions, modules A x 3, B, C x 4, D, E x 2; E has concatenations in its branches. 313 nodes, 347 edges.
[[nodiscard]] topology inception_v3();
/// Huang et al. 2017: blocks of 6, 12, 24 and 16 layers. Layer i of a block ends in one concatenation of i + 1 tensors: the
/// block's input and all its layers. 427 nodes, 961 edges.
[[nodiscard]] topology densenet121();
/// Devlin et al. 2019, decomposed: 50 nodes a layer (9 a layer normalisation, 5 a GELU, a mask that every layer reads), 20 around
/// them. 12 layers: 620 nodes, 740 edges.
[[nodiscard]] topology bert(std::uint32_t layers);
/// Zoph et al. 2018: NASNet-A 4 @ 1056 for ImageNet: two reduction cells as a stem, then normal x 4, reduction, normal x 4, reduction,
/// normal x 4; a separable convolution is 8 nodes. 914 nodes, 1069 edges.
[[nodiscard]] topology nasnet_a();
/// Zoph and Le 2017: the recurrent cell found by search, as the graph optimisers' benchmarks unroll it: 8 sums of two products, then a
/// tree of 22 nodes. 10 steps: 471 nodes, 610 edges.
[[nodiscard]] topology nasrnn(std::uint32_t steps);
/// Xie et al. 2019: three stages of 32 nodes, WS(4, 0.75); a node is a sum where it reads several, then ReLU, convolution,
/// normalisation. Counts depend on the seed.
[[nodiscard]] topology randwire(std::uint64_t seed);
/// The seed with which `randwire` has 352 nodes and 475 edges.
inline constexpr std::uint64_t randwire_seed = 109;

/// Sets of up to `most` nodes that are connected and that no path leaves and enters again; ascending nodes, smaller sets first.
[[nodiscard]] std::vector<std::vector<inlay::node_id>> connected_convex_sets(const topology& of, std::uint32_t most);

/// Pairs of nodes that read a common tensor, do not depend on each other, and are at most 256 nodes apart.
[[nodiscard]] std::vector<std::vector<inlay::node_id>> independent_siblings(const topology& of);

/// Up to `most` pairs of nodes that do not depend on each other, drawn with the seed among all such pairs; ascending.
[[nodiscard]] std::vector<std::vector<inlay::node_id>> independent_pairs(const topology& of, std::uint32_t most, std::uint64_t seed);

}  // namespace bench

#endif
