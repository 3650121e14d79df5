// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_READER_HPP
#define INLAY_IO_ONNX_ONNX_READER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <onnx/onnx_pb.h>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/onnx/attribute_proto.hpp>
#include <inlay/io/onnx/import_options.hpp>
#include <inlay/io/onnx/inlined_size.hpp>
#include <inlay/io/onnx/onnx_call.hpp>
#include <inlay/io/onnx/onnx_constants.hpp>
#include <inlay/io/onnx/onnx_functions.hpp>
#include <inlay/io/onnx/onnx_scope.hpp>
#include <inlay/io/onnx/onnx_surroundings.hpp>
#include <inlay/io/onnx/onnx_tensors.hpp>
#include <inlay/io/onnx/onnx_types.hpp>
#include <inlay/io/onnx/onnx_upgrade.hpp>
#include <inlay/ir/ir_builder.hpp>

namespace inlay::detail {

/// Reads one model into a program; used once. Members that can fail return false and leave the error in `failure_`.
class onnx_reader {
public:
    onnx_reader(onnx::ModelProto& model, const import_options& options)
        : model_(model), options_(options), emitter_(builder_, options.operators), constants_(emitter_, options_) {}

    outcome<ir_module> read() {
        if (!read_main()) return error{failure_};
        return builder_.finish();
    }

private:
    bool fail(std::string message) {
        failure_ = std::move(message);
        return false;
    }

    bool fail_at(const onnx::NodeProto& node, const std::string& what) { return fail(onnx_label(node) + ": " + what); }
    bool fine(const outcome<void>& done) { return done ? true : fail(done.failure().message); }
    bool define(onnx_scope& f, std::string_view name, node_id value, const std::string& what) { return fine(f.define(name, value, what)); }

    bool read_main() {
        if (!model_.has_graph()) return fail("the model has no graph");
        onnx_surroundings all;
        if (!fine(all.read_opsets(model_.opset_import(), "the model"))) return false;
        // Versions of operator sets are stated since version 3 of the format.
        if (model_.ir_version() < 3) all.opsets.try_emplace("", 1);
        if (const auto read = functions_.read(model_); !read) return fail(read.failure().message);

        onnx::GraphProto& graph = *model_.mutable_graph();
        if (const auto small = inlined_size(functions_, options_).check(graph); !small) return fail(small.failure().message);
        all.count_names(graph.node());
        if (graph.output_size() == 0) return fail("the graph has no outputs");
        emitter_.open_block();
        onnx_scope f;
        std::vector<node_id> parameters, results;
        if (!read_graph(graph, f, all, parameters, results, true)) return false;
        std::vector<std::string> names;
        std::unordered_set<std::string_view> seen;
        for (const auto& output : graph.output()) {
            if (!seen.insert(output.name()).second) return fail("the graph has two outputs called " + quoted_text(output.name()));
            names.push_back(output.name());
        }
        const node_id result = results.size() == 1 ? results[0] : builder_.tuple(results);
        attribute_map facts{{"ir_version", static_cast<std::int64_t>(model_.ir_version())}};
        for (const auto& [domain, version] : all.opsets) facts.set("opset." + (domain.empty() ? std::string("ai.onnx") : domain), version);
        emitter_.leave_block();
        builder_.declare(builder_.function(parameters, result, "main", facts));
        builder_.name_results(std::move(names));
        return true;
    }

    /// Reads inputs, initialisers, nodes and outputs into the open block.
    bool read_graph(onnx::GraphProto& graph, onnx_scope& f, onnx_surroundings& all, std::vector<node_id>& parameters,
                    std::vector<node_id>& results, bool is_main) {
        f.collect_reads(graph.node());
        for (const auto& output : graph.output()) f.read.insert(output.name());
        std::unordered_set<std::string_view> given;
        for (const auto& t : graph.initializer()) given.insert(t.name());
        for (const auto& t : graph.sparse_initializer()) given.insert(t.values().name());

        std::unordered_set<std::string_view> inputs;
        for (const auto& input : graph.input()) {
            if (!inputs.insert(input.name()).second) return fail("the graph has two inputs called " + quoted_text(input.name()));
            const auto type = type_of_onnx(input.type());
            if (!type) return fail("input " + quoted_text(input.name()) + " " + type.failure().message);
            attribute_map facts;
            if (is_main && given.count(input.name()) != 0) {
                if (is_fixed(input.name())) continue;
                if (!read_default(graph, input.name(), *type, facts)) return false;
            }
            parameters.push_back(builder_.add(node_kind::input, {}, 0, input.name(), *type, facts));
            if (!define(f, input.name(), parameters.back(), "an input")) return false;
        }
        for (const auto* infos : {&graph.value_info(), &graph.output()})
            for (const auto& info : *infos) {
                if (!info.has_type()) continue;
                if (const auto type = type_of_onnx(info.type()); !type)
                    return fail("tensor " + quoted_text(info.name()) + " " + type.failure().message);
                f.declared.insert_or_assign(info.name(), &info.type());
            }
        if (!read_initializers(graph, f, all)) return false;
        if (!read_nodes(*graph.mutable_node(), f, all)) return false;
        for (const auto& output : graph.output()) {
            const node_id* value = f.find(output.name());
            if (value == nullptr) return fail("output " + quoted_text(output.name()) + " is made by no node");
            if (*value == no_node)
                return fail("output " + quoted_text(output.name()) + " is an input that the function's caller leaves out");
            results.push_back(*value);
        }
        return true;
    }

    /// Whether the constant that an input has by default is its only value. Before version 4 of the format each initialiser was an input.
    [[nodiscard]] bool is_fixed(const std::string& name) const {
        if (model_.ir_version() < 4 || options_.fixed_defaults || !in_force<"io.onnx.defaults">()) return true;
        return std::find(options_.fixed_inputs.begin(), options_.fixed_inputs.end(), name) != options_.fixed_inputs.end();
    }

    /// Reads the initialiser that is an input's default into its attributes.
    bool read_default(onnx::GraphProto& graph, const std::string& name, const node_type& type, attribute_map& facts) {
        open_.insert(name);
        outcome<tensor> value = error{"tensor " + quoted_text(name) + " is no initialiser"};
        for (auto& t : *graph.mutable_initializer())
            if (t.name() == name && can_hold(t)) value = take_tensor(t, quoted_text(name), options_.external_data, after_reading::discard);
        for (auto& t : *graph.mutable_sparse_initializer())
            if (t.values().name() == name && can_hold(t.values())) value = take_sparse(t, quoted_text(name), options_.external_data);
        if (!value) return fail(value.failure().message);
        if (type.is_tensor() && type.of_tensor.element != value->element())
            return fail("input " + quoted_text(name) + " is " + to_string(type) + ", and its initialiser is " + to_string(value->type()) +
                        "; give both one element type");
        facts.set(default_value, *std::move(value));
        return true;
    }

    bool read_initializers(onnx::GraphProto& graph, onnx_scope& f, const onnx_surroundings& all) {
        std::unordered_set<std::string_view> seen;
        for (auto& t : *graph.mutable_initializer()) {
            if (!seen.insert(t.name()).second) return fail("two initialisers are called " + quoted_text(t.name()));
            // A tensor without a reader is not worth its memory.
            if (f.read.count(t.name()) == 0 || open_.contains(t.name())) continue;
            const auto made = constants_.of_tensor(t, t.name(), afterwards(all));
            if (!made) return fail(made.failure().message);
            if (!define(f, t.name(), *made, "an initialiser")) return false;
        }
        for (auto& t : *graph.mutable_sparse_initializer()) {
            const std::string& name = t.values().name();
            if (!seen.insert(name).second) return fail("two initialisers are called " + quoted_text(name));
            if (f.read.count(name) == 0 || open_.contains(name)) continue;
            const auto made = constants_.of_sparse(t, name, afterwards(all));
            if (!made) return fail(made.failure().message);
            if (!define(f, name, *made, "an initialiser")) return false;
        }
        return true;
    }

    /// The text of a function's body is read at every call of it.
    static after_reading afterwards(const onnx_surroundings& all) {
        return all.function != nullptr ? after_reading::keep : after_reading::discard;
    }

    template <class Nodes>
    bool read_nodes(Nodes& nodes, onnx_scope& f, onnx_surroundings& all) {
        if (++depth_ > options_.deepest)
            return fail("graphs and functions stand in each other more than " + std::to_string(options_.deepest) + " deep");
        for (auto& node : nodes) {
            if (builder_.so_far().size() > options_.most_nodes)
                return fail("the program has more than " + std::to_string(options_.most_nodes) + " nodes once its functions are inlined");
            if (!read_node(node, nodes, f, all)) return false;
        }
        --depth_;
        return true;
    }

    template <class Nodes>
    bool read_operands(const onnx::NodeProto& node, const Nodes& nodes, const onnx_scope& f, std::vector<node_id>& operands) {
        for (const std::string& input : node.input()) {
            const node_id* value = input.empty() ? nullptr : f.find(input);
            if (!input.empty() && value == nullptr) {
                for (const auto& other : nodes)
                    if (std::find(other.output().begin(), other.output().end(), input) != other.output().end())
                        return fail_at(node, "reads tensor " + quoted_text(input) + " before " + onnx_label(other) +
                                                 " makes it; nodes must be sorted, producers first, and form no cycle");
                return fail_at(node, "reads tensor " + quoted_text(input) + ", which is no input, no initialiser and no node's output");
            }
            operands.push_back(input.empty() ? no_node : *value);
        }
        return true;
    }

    template <class Nodes>
    bool read_node(onnx::NodeProto& node, const Nodes& nodes, onnx_scope& f, onnx_surroundings& all) {
        if (node.op_type().empty()) return fail_at(node, "has no operator");
        // Behind its domain a dot would be taken for the end of the domain.
        if (node.op_type().find('.') != std::string::npos)
            return fail_at(node, "has a dot in the name of its operator; write what stands before the dot as its domain");
        if (node.domain().starts_with("onnx."))
            return fail_at(node,
                           "has the domain " + quoted_text(node.domain(), 80) + ", which would be taken for ONNX's own; name another one");
        std::vector<node_id> operands;
        if (!read_operands(node, nodes, f, operands)) return false;
        const std::string_view domain = plain_domain(node.domain());
        const std::string dialect = domain.empty() ? std::string("onnx") : std::string(domain);

        const std::string op = operator_of(node);
        if (auto* function = functions_.find(node);
            function != nullptr && !(options_.operators != nullptr && options_.operators(op) != nullptr))
            return inline_function(node, *function, std::move(operands), f, all);
        const auto version = all.opsets.find(domain);
        if (version == all.opsets.end() && domain.empty())
            return fail_at(node, "the file states no version of the operator set that it is from");
        if (domain.empty() && node.op_type() == "Constant") return read_constant_node(node, f, all);
        if (domain.empty() && node.op_type() == "If") return read_if(node, operands, f, all);

        onnx_call call;
        call.op = node.op_type();
        call.dialect = dialect;
        call.operands = std::move(operands);
        call.name = all.name_of(node);
        call.declared_outputs = static_cast<std::size_t>(node.output_size());
        call.outputs = 1;
        for (int i = 0; i < node.output_size(); ++i)
            if (!node.output(i).empty() && f.read.count(node.output(i)) != 0) call.outputs = static_cast<std::size_t>(i) + 1;
        // Parts without a reader are parts still.
        if (dialect == "onnx" && call.op == "Split" && in_force<"io.onnx.empty-outputs">())
            call.outputs = std::max<std::size_t>(call.declared_outputs, 1);
        if (call.outputs == 1 && node.output_size() != 0) {
            call.type = f.declared_type(node.output(0));
        } else {
            std::vector<node_type> fields;
            for (std::size_t i = 0; i < call.outputs && node.output_size() != 0; ++i)
                fields.push_back(f.declared_type(node.output(static_cast<int>(i))));
            call.type = node_type::tuple(std::move(fields));
        }
        if (!read_attributes(node, call, f, all)) return false;

        node_id made = no_node;
        const std::size_t outputs = call.outputs;
        if (domain.empty()) {
            const auto upgraded_call = emit_upgraded(std::move(call), version->second, emitter_);
            if (!upgraded_call) return fail_at(node, upgraded_call.failure().message);
            made = *upgraded_call;
        } else {
            if (const auto known = emitter_.check(call); !known) return fail_at(node, known.failure().message);
            made = emitter_.emit(std::move(call));
        }
        return define_outputs(node, made, outputs, f);
    }

    bool define_outputs(const onnx::NodeProto& node, node_id made, std::size_t outputs, onnx_scope& f) {
        for (int i = 0; i < node.output_size(); ++i) {
            const std::string& name = node.output(i);
            if (name.empty()) continue;
            if (outputs > 1 && f.read.count(name) == 0 && f.values.count(name) == 0) continue;
            if (static_cast<std::size_t>(i) >= outputs) continue;
            const node_id value = outputs == 1 ? made : builder_.projection(made, static_cast<std::size_t>(i), name);
            if (!define(f, name, value, onnx_label(node))) return false;
        }
        return true;
    }

    /// Attributes as values; graphs as functions behind the operands, in the order of the attributes in the file.
    bool read_attributes(onnx::NodeProto& node, onnx_call& call, onnx_scope& f, onnx_surroundings& all) {
        std::unordered_set<std::string_view> seen;
        std::vector<std::pair<std::string, node_id>> graphs;
        for (auto& written : *node.mutable_attribute()) {
            if (!seen.insert(written.name()).second) return fail_at(node, "has the attribute " + quoted_text(written.name()) + " twice");
            onnx::AttributeProto* a = all.resolved(written);
            if (a == nullptr) continue;
            if (form_of(*a) == onnx::AttributeProto::GRAPH) {
                node_id function = no_node;
                if (!read_function(*a->mutable_g(), f, all, function)) return false;
                graphs.emplace_back(written.name(), function);
                continue;
            }
            auto value = value_of(*a, "attribute " + quoted_text(written.name()), options_.external_data, afterwards(all));
            if (!value) return fail_at(node, value.failure().message);
            if (*value) call.attributes.set(written.name(), **std::move(value));
        }
        std::sort(graphs.begin(), graphs.end());
        for (const auto& [name, function] : graphs) {
            call.operands.push_back(function);
            call.graphs.push_back(name);
        }
        return true;
    }

    /// Reads a graph into a block of its own, which stays open. Its result is a node of the block even where the graph only hands a
    /// value on.
    bool read_body(onnx::GraphProto& graph, const onnx_scope& f, onnx_surroundings& all, std::vector<node_id>& parameters,
                   node_id& result) {
        emitter_.open_block();
        const auto first = static_cast<node_id>(builder_.so_far().size());
        onnx_scope inner;
        inner.outer = &f;
        std::vector<node_id> results;
        if (!read_graph(graph, inner, all, parameters, results, false)) return false;
        result = results.size() == 1 ? results[0] : builder_.tuple(results);
        if (result < first) {
            onnx_call identity;
            identity.op = "Identity";
            identity.operands = {result};
            result = emitter_.emit(std::move(identity));
        }
        emitter_.leave_block();
        return true;
    }

    /// A graph with inputs, as a function that reads the values around it.
    bool read_function(onnx::GraphProto& graph, const onnx_scope& f, onnx_surroundings& all, node_id& function) {
        std::vector<node_id> parameters;
        node_id result = no_node;
        if (!read_body(graph, f, all, parameters, result)) return false;
        function = builder_.function(parameters, result);
        return true;
    }

    bool read_constant_node(onnx::NodeProto& node, onnx_scope& f, onnx_surroundings& all) {
        if (node.attribute_size() != 1 || node.output_size() != 1) return fail_at(node, "must have one attribute and one output");
        onnx::AttributeProto* a = all.resolved(*node.mutable_attribute(0));
        if (a == nullptr) return fail_at(node, "takes its value from an attribute that the function's caller does not give");
        const auto made = constants_.of_attribute(*a, all.name_of(node), afterwards(all));
        if (!made) return fail(made.failure().message);
        if (!*made) return fail_at(node, "has the attribute " + quoted_text(a->name()) + ", which is no constant's");
        return define_outputs(node, **made, 1, f);
    }

    bool read_if(onnx::NodeProto& node, const std::vector<node_id>& operands, onnx_scope& f, onnx_surroundings& all) {
        if (operands.size() != 1 || operands[0] == no_node) return fail_at(node, "must read one condition");
        node_id branches[2] = {no_node, no_node};
        const std::string_view names[2] = {"then_branch", "else_branch"};
        for (auto& a : *node.mutable_attribute()) {
            if (a.name() != names[0] && a.name() != names[1])
                return fail_at(node, "has the attribute " + quoted_text(a.name()) + ", and If takes then_branch and else_branch alone");
            for (std::size_t i = 0; i < 2; ++i) {
                if (a.name() != names[i] || form_of(a) != onnx::AttributeProto::GRAPH) continue;
                if (branches[i] != no_node) return fail_at(node, "has the attribute " + quoted_text(a.name()) + " twice");
                if (a.g().output_size() != node.output_size())
                    return fail_at(node, "has " + std::to_string(node.output_size()) + " outputs, and its " + std::string(names[i]) +
                                             " has " + std::to_string(a.g().output_size()));
                if (!read_branch(*a.mutable_g(), f, all, branches[i])) return false;
            }
        }
        if (branches[0] == no_node || branches[1] == no_node) return fail_at(node, "must have a then_branch and an else_branch");
        const node_id made = builder_.if_else(operands[0], branches[0], branches[1], all.name_of(node));
        return define_outputs(node, made, static_cast<std::size_t>(node.output_size()), f);
    }

    /// A graph without inputs, as a block.
    bool read_branch(onnx::GraphProto& graph, const onnx_scope& f, onnx_surroundings& all, node_id& result) {
        std::vector<node_id> parameters;
        if (!read_body(graph, f, all, parameters, result)) return false;
        if (!parameters.empty()) return fail("a branch of an If has inputs, and can have none");
        if (graph.output_size() == 0) return fail("a branch of an If has no outputs");
        builder_.close_block();
        return true;
    }

    /// Reads a function's body in the place of a call of it.
    bool inline_function(onnx::NodeProto& node, onnx_functions::function& function, std::vector<node_id> operands, onnx_scope& f,
                         onnx_surroundings& all) {
        onnx::FunctionProto& body = *function.proto;
        for (const onnx_surroundings* at = &all; at != nullptr; at = at->caller)
            if (at->function == &body) return fail_at(node, "the function calls itself, which no file may ask for");
        if (node.input_size() > body.input_size() || node.output_size() > body.output_size())
            return fail_at(node, "has " + std::to_string(node.input_size()) + " inputs and " + std::to_string(node.output_size()) +
                                     " outputs, and the function has " + std::to_string(body.input_size()) + " and " +
                                     std::to_string(body.output_size()));
        onnx_surroundings inside;
        inside.function = &body;
        inside.caller = &all;
        inside.prefix = all.name_of(node) + "/";
        if (!fine(inside.read_opsets(body.opset_import(), "function " + quoted_text(body.name())))) return false;
        for (const auto& [domain, version] : all.opsets) inside.opsets.try_emplace(domain, version);
        for (auto& a : function.defaults) inside.attributes.insert_or_assign(a.name(), &a);
        for (auto& a : *node.mutable_attribute())
            if (onnx::AttributeProto* value = all.resolved(a)) inside.attributes.insert_or_assign(a.name(), value);
        inside.count_names(body.node());

        onnx_scope inner;
        inner.collect_reads(body.node());
        for (const std::string& output : body.output()) inner.read.insert(output);
        for (int i = 0; i < body.input_size(); ++i) {
            const bool is_given = i < static_cast<int>(operands.size()) && operands[static_cast<std::size_t>(i)] != no_node;
            if (!define(inner, body.input(i), is_given ? operands[static_cast<std::size_t>(i)] : no_node,
                        "function " + quoted_text(body.name())))
                return false;
        }
        if (!read_nodes(*body.mutable_node(), inner, inside)) return false;
        for (int i = 0; i < node.output_size(); ++i) {
            if (node.output(i).empty()) continue;
            const node_id* value = inner.find(body.output(i));
            if (value == nullptr || *value == no_node)
                return fail_at(node, "the function's output " + quoted_text(body.output(i)) + " is made by no node");
            if (!define(f, node.output(i), *value, onnx_label(node))) return false;
        }
        return true;
    }

    onnx::ModelProto& model_;
    const import_options& options_;
    ir_builder builder_;
    onnx_emitter emitter_;
    onnx_constants constants_;
    onnx_functions functions_;
    std::unordered_set<std::string_view> open_;  // initialisers that are parameters of main
    std::size_t depth_ = 0;
    std::string failure_;
};

}  // namespace inlay::detail

#endif
