// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_MODEL_HPP
#define INLAY_EXAMPLES_INLAY_MODEL_HPP

#include <string>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_module.hpp>

namespace tool {

/// Which model a verb works on, as its options say.
struct model_options {
    std::string path;
    std::vector<std::string> shapes;   // NAME=1,3,48,320
    std::vector<std::string> symbols;  // NAME=VALUE
    bool as_written = false;           // no rule is applied: what is partitioned has the nodes of the file, but for what is folded
};

/// The model as its file has it, with shapes bound and types inferred: what the interpreter runs for `--check`.
[[nodiscard]] inlay::outcome<inlay::ir_module> load_model(const model_options& options);

/// The same for verbs that only look: operators that nobody here knows are fine, and leave types unknown.
[[nodiscard]] inlay::outcome<inlay::ir_module> load_written(const model_options& options);

/// What `load_model` gives, normalised: what is partitioned. A spelled form becomes an operator where all back ends of this build name it,
/// so that none that takes part loses anything; the program depends on the model and the build alone, as plans that were written down want
/// it.
[[nodiscard]] inlay::outcome<inlay::ir_module> prepared(const inlay::ir_module& loaded, const model_options& options);

/// Both in one: for verbs that do not ask the interpreter.
[[nodiscard]] inlay::outcome<inlay::ir_module> load_prepared(const model_options& options);

/// The same, for verbs that plan: every input must have a shape of known extents.
[[nodiscard]] inlay::outcome<inlay::ir_module> load_static(const model_options& options);

/// The name by which people know a node, in a line of text: the file may have anything for a name, line ends among it.
[[nodiscard]] std::string shown_name(const inlay::ir_module& m, inlay::node_id n);

/// One tensor per input of the model: from `NAME=FILE` (.npy or .pb), from files in order, else random from the seed.
[[nodiscard]] inlay::outcome<std::vector<inlay::tensor>> model_inputs(const inlay::ir_module& m, const std::vector<std::string>& named,
                                                                      const std::vector<std::string>& in_order, std::uint64_t seed);

}  // namespace tool

#endif
