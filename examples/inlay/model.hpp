// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_MODEL_HPP
#define INLAY_EXAMPLES_INLAY_MODEL_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/partition/existing_part.hpp>

namespace tool {

/// Which model a verb works on, as its options say.
struct model_options {
    std::string path;
    std::vector<std::string> shapes;        // NAME=1,3,48,320
    std::vector<std::string> symbols;       // NAME=VALUE
    std::vector<std::string> constants;     // NAME=FILE of parameters that become constants
    bool by_steps = false;                  // what quantisers wrote around operators becomes operators on the steps
    bool reassociate = false;               // rules that lose roundings of the program are applied, too
    bool fixed_defaults = false;            // inputs with a default have no other value
    std::vector<std::string> fixed_inputs;  // these of them have none
    bool checks = true;                     // an application of a rule that gives other numbers is refused
    bool as_written = false;                // no rule is applied: what is partitioned has the nodes of the file, but for what is folded
};

/// The model as its file has it, with shapes bound and types inferred: what the interpreter runs for `--check`.
[[nodiscard]] inlay::outcome<inlay::ir_module> load_model(const model_options& options);

/// The same for verbs that only look: operators that nobody here knows are fine, and leave types unknown. Of Relay text the program as it
/// stands there, in Relay's operators.
[[nodiscard]] inlay::outcome<inlay::ir_module> load_written(const model_options& options);

/// Whether a model of that name is Relay text: `-`, or what ends in .relay, .rly or .txt.
[[nodiscard]] bool is_relay(const std::string& path);

/// What an attribute of one of Relay's operators stands at where a call leaves it out.
[[nodiscard]] std::optional<inlay::attribute_value> relay_default_of(std::string_view op, std::string_view attribute);

/// A model to be planned, the parts that back ends have in it already, which stay, and the bodies of its branches and loops.
struct planned_model {
    inlay::ir_module program;
    std::vector<inlay::existing_part> parts;
    std::vector<inlay::ir_module> bodies;  // as `lifted_control` numbers them
    std::string not_lifted;                // why its control flow cannot be planned; else empty
};

/// What is done to a model before it is planned.
struct preparation {
    bool lifts_control = true;  // branches and loops become calls, and their bodies programs
};

/// What `load_model` gives, normalised: what is partitioned. A spelled form becomes an operator where all back ends of this build name it,
/// so that none that takes part loses anything; the program depends on the model and the build alone, as plans that were written down want
/// it.
[[nodiscard]] inlay::outcome<planned_model> prepared(const inlay::ir_module& loaded, const model_options& options,
                                                     preparation how_far = {});

/// Both in one: for verbs that do not ask the interpreter.
[[nodiscard]] inlay::outcome<planned_model> load_prepared(const model_options& options, preparation how_far = {});

/// The same, for verbs that plan: every input must have a shape of known extents.
[[nodiscard]] inlay::outcome<planned_model> load_static(const model_options& options);

/// The name by which people know a node, in a line of text: the file may have anything for a name, line ends among it.
[[nodiscard]] std::string shown_name(const inlay::ir_module& m, inlay::node_id n);

/// Whether a model, read with these options, has inputs with a default that are given no other value: by name, or as one of the first
/// `in_order`. They are added to `options.fixed_inputs`, so that the model can be read again with their values as constants.
[[nodiscard]] bool fix_defaults_left(model_options& options, const inlay::ir_module& m, const std::vector<std::string>& named,
                                     std::size_t in_order);

/// One tensor per input of the model: from `NAME=FILE` (.npy or .pb), from files in order, else its default, else random from the seed.
/// Where `types_open`, those from files may be of any type, which whoever runs the model holds against it.
[[nodiscard]] inlay::outcome<std::vector<inlay::tensor>> model_inputs(const inlay::ir_module& m, const std::vector<std::string>& named,
                                                                      const std::vector<std::string>& in_order, std::uint64_t seed,
                                                                      bool types_open = false);

}  // namespace tool

#endif
