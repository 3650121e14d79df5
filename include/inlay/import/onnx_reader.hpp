// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IMPORT_ONNX_READER_HPP
#define INLAY_IMPORT_ONNX_READER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/import/import_options.hpp>
#include <inlay/import/onnx_attributes.hpp>
#include <inlay/import/onnx_call.hpp>
#include <inlay/import/onnx_functions.hpp>
#include <inlay/import/onnx_tensors.hpp>
#include <inlay/import/onnx_types.hpp>
#include <inlay/import/onnx_upgrade.hpp>
#include <inlay/import/quoted_text.hpp>
#include <inlay/ir/ir_builder.hpp>

namespace inlay::detail {

/// Reads one model into a program; used once. Members that can fail return false and leave the error in `failure_`.
class onnx_reader {
public:
    onnx_reader(onnx::ModelProto& model, const import_options& options)
        : model_(model), options_(options), emitter_(builder_, options.operators) {}

    outcome<ir_module> read() {
        if (!read_main()) return error{failure_};
        return builder_.finish();
    }

private:
    using versions = std::map<std::string, std::int64_t, std::less<>>;

    /// The names of one graph or function body. Names of the graphs around it are seen too, up to a function's border.
    struct frame {
        const frame* outer = nullptr;
        std::unordered_map<std::string_view, node_id> values;
        std::unordered_map<std::string_view, const onnx::TypeProto*> declared;
        std::unordered_set<std::string_view> read;
    };

    /// What holds for all of a function's body, or for all of the main graph.
    struct surroundings {
        versions opsets;
        std::map<std::string_view, onnx::AttributeProto*> attributes;
        std::string prefix;
        std::map<std::string_view, std::size_t> uses_of_name;
        const onnx::FunctionProto* function = nullptr;
        const surroundings* caller = nullptr;
    };

    bool fail(std::string message) {
        failure_ = std::move(message);
        return false;
    }

    static std::string label(const onnx::NodeProto& node) {
        std::string name = node.name();
        for (const std::string& output : node.output())
            if (name.empty()) name = output;
        return "node " + quoted_text(name) + " (" +
               quoted_text(node.op_type(), 40).substr(1, std::min<std::size_t>(node.op_type().size(), 40)) + ")";
    }
    bool fail_at(const onnx::NodeProto& node, const std::string& what) { return fail(label(node) + ": " + what); }

    bool read_opsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports, versions& out, const std::string& whose) {
        for (const auto& import : imports) {
            const std::string domain(plain_domain(import.domain()));
            if (import.version() < 1)
                return fail(whose + " states version " + std::to_string(import.version()) + " of operator set " + quoted_text(domain) +
                            "; versions start at 1");
            if (!out.try_emplace(domain, import.version()).second)
                return fail(whose + " states the version of operator set " + quoted_text(domain) + " twice");
        }
        return true;
    }

    bool read_main() {
        if (!model_.has_graph()) return fail("the model has no graph");
        surroundings all;
        if (!read_opsets(model_.opset_import(), all.opsets, "the model")) return false;
        // Versions of operator sets are stated since version 3 of the format.
        if (model_.ir_version() < 3) all.opsets.try_emplace("", 1);
        if (const auto read = functions_.read(model_); !read) return fail(read.failure().message);

        onnx::GraphProto& graph = *model_.mutable_graph();
        count_names(graph, all.uses_of_name);
        if (graph.output_size() == 0) return fail("the graph has no outputs");
        emitter_.open_block();
        frame f;
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

    /// How often each node name occurs in a graph and the graphs in it: only unique ones name their node.
    static void count_names(const onnx::GraphProto& graph, std::map<std::string_view, std::size_t>& uses) {
        for (const auto& node : graph.node()) {
            ++uses[node.name()];
            for (const auto& a : node.attribute())
                if (a.has_g()) count_names(a.g(), uses);
        }
    }

    /// Every name that the nodes of a graph or of the graphs in it read.
    template <class Nodes>
    static void collect_reads(const Nodes& nodes, std::unordered_set<std::string_view>& read) {
        for (const auto& node : nodes) {
            for (const std::string& input : node.input()) read.insert(input);
            for (const auto& a : node.attribute()) {
                if (!a.has_g()) continue;
                collect_reads(a.g().node(), read);
                for (const auto& output : a.g().output()) read.insert(output.name());
            }
        }
    }

    bool define(frame& f, std::string_view name, node_id value, const std::string& what) {
        if (name.empty()) return fail(what + " has no name");
        if (!f.values.try_emplace(name, value).second)
            return fail(what + " gives the name " + quoted_text(name) + " to a second tensor; names must be unique");
        return true;
    }

    static const node_id* find(const frame& f, std::string_view name) {
        for (const frame* at = &f; at != nullptr; at = at->outer)
            if (const auto found = at->values.find(name); found != at->values.end()) return &found->second;
        return nullptr;
    }

    /// The declared type of a tensor, as far as there is one. Checked where it was declared.
    static node_type declared_type(const frame& f, std::string_view name) {
        const auto at = f.declared.find(name);
        if (at == f.declared.end()) return {};
        const auto type = type_of_onnx(*at->second);
        return type ? *type : node_type();
    }

    /// Reads inputs, initialisers, nodes and outputs into the open block.
    bool read_graph(onnx::GraphProto& graph, frame& f, surroundings& all, std::vector<node_id>& parameters, std::vector<node_id>& results,
                    bool is_main) {
        collect_reads(graph.node(), f.read);
        for (const auto& output : graph.output()) f.read.insert(output.name());
        std::unordered_set<std::string_view> given;
        for (const auto& t : graph.initializer()) given.insert(t.name());
        for (const auto& t : graph.sparse_initializer()) given.insert(t.values().name());

        std::unordered_set<std::string_view> inputs;
        for (const auto& input : graph.input()) {
            if (!inputs.insert(input.name()).second) return fail("the graph has two inputs called " + quoted_text(input.name()));
            const auto type = type_of_onnx(input.type());
            if (!type) return fail("input " + quoted_text(input.name()) + " " + type.failure().message);
            if (is_main && given.count(input.name()) != 0) continue;
            parameters.push_back(builder_.input(input.name(), *type));
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
            const node_id* value = find(f, output.name());
            if (value == nullptr) return fail("output " + quoted_text(output.name()) + " is made by no node");
            if (*value == no_node) return fail("output " + quoted_text(output.name()) + " is an input that the function's caller leaves out");
            results.push_back(*value);
        }
        return true;
    }

    bool read_initializers(onnx::GraphProto& graph, frame& f, const surroundings& all) {
        std::unordered_set<std::string_view> seen;
        for (auto& t : *graph.mutable_initializer()) {
            if (!seen.insert(t.name()).second) return fail("two initialisers are called " + quoted_text(t.name()));
            // What nobody reads is not worth its memory.
            if (f.read.count(t.name()) == 0) continue;
            node_id made = no_node;
            if (!read_constant(t, t.name(), all, made) || !define(f, t.name(), made, "an initialiser")) return false;
        }
        for (const auto& t : graph.sparse_initializer())
            if (!define(f, t.values().name(), unsupported_constant("a sparse tensor", t.values().name()), "an initialiser")) return false;
        return true;
    }

    /// A constant that inlay's tensors cannot hold is a call that no operator set knows, so that it is named with all that is not
    /// supported, and not alone.
    node_id unsupported_constant(const std::string& what, std::string_view name) {
        onnx_call c;
        c.op = "Constant";
        c.name = name;
        c.attributes.set("holds", what);
        return emitter_.emit(std::move(c));
    }

    bool read_constant(onnx::TensorProto& t, std::string_view name, const surroundings& all, node_id& made) {
        if (!can_hold(t)) {
            made = unsupported_constant(
                t.data_type() == onnx::TensorProto_DataType_STRING ? "strings" : "element type " + std::to_string(t.data_type()), name);
            return true;
        }
        const auto value = take_tensor(t, quoted_text(name), options_.external_data,
                                       all.function != nullptr ? after_reading::keep : after_reading::discard);
        if (!value) return fail(value.failure().message);
        made = builder_.constant(*value, name);
        return true;
    }

    template <class Nodes>
    bool read_nodes(Nodes& nodes, frame& f, surroundings& all) {
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

    /// The name of a node: its own if that is unique, else that of its first output.
    static std::string name_of_node(const onnx::NodeProto& node, const surroundings& all) {
        const auto uses = all.uses_of_name.find(node.name());
        if (!node.name().empty() && uses != all.uses_of_name.end() && uses->second == 1) return all.prefix + node.name();
        for (const std::string& output : node.output())
            if (!output.empty()) return all.prefix + output;
        return all.prefix + node.name();
    }

    template <class Nodes>
    bool read_operands(const onnx::NodeProto& node, const Nodes& nodes, const frame& f, std::vector<node_id>& operands) {
        for (const std::string& input : node.input()) {
            const node_id* value = input.empty() ? nullptr : find(f, input);
            if (!input.empty() && value == nullptr) {
                for (const auto& other : nodes)
                    if (std::find(other.output().begin(), other.output().end(), input) != other.output().end())
                        return fail_at(node, "reads tensor " + quoted_text(input) + " before " + label(other) +
                                                 " makes it; nodes must be sorted, producers first, and form no cycle");
                return fail_at(node, "reads tensor " + quoted_text(input) + ", which is no input, no initialiser and no node's output");
            }
            operands.push_back(input.empty() ? no_node : *value);
        }
        return true;
    }

    /// The attribute, or what the caller of the function gives for it; null where the caller gives nothing.
    static onnx::AttributeProto* resolved(onnx::AttributeProto& a, const surroundings& all) {
        if (a.ref_attr_name().empty()) return &a;
        const auto at = all.attributes.find(a.ref_attr_name());
        return at == all.attributes.end() ? nullptr : at->second;
    }

    template <class Nodes>
    bool read_node(onnx::NodeProto& node, const Nodes& nodes, frame& f, surroundings& all) {
        if (node.op_type().empty()) return fail_at(node, "has no operator");
        std::vector<node_id> operands;
        if (!read_operands(node, nodes, f, operands)) return false;
        const std::string_view domain = plain_domain(node.domain());
        const std::string dialect = domain.empty() ? std::string("onnx") : std::string(domain);

        const std::string op = dialect + "." + node.op_type();
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
        call.name = name_of_node(node, all);
        call.declared_outputs = static_cast<std::size_t>(node.output_size());
        call.outputs = 1;
        for (int i = 0; i < node.output_size(); ++i)
            if (!node.output(i).empty() && f.read.count(node.output(i)) != 0) call.outputs = static_cast<std::size_t>(i) + 1;
        if (call.outputs == 1 && node.output_size() != 0) {
            call.type = declared_type(f, node.output(0));
        } else {
            std::vector<node_type> fields;
            for (std::size_t i = 0; i < call.outputs && node.output_size() != 0; ++i)
                fields.push_back(declared_type(f, node.output(static_cast<int>(i))));
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
            made = emitter_.emit(std::move(call));
        }
        return define_outputs(node, made, outputs, f);
    }

    bool define_outputs(const onnx::NodeProto& node, node_id made, std::size_t outputs, frame& f) {
        for (int i = 0; i < node.output_size(); ++i) {
            const std::string& name = node.output(i);
            if (name.empty()) continue;
            if (outputs > 1 && f.read.count(name) == 0 && f.values.count(name) == 0) continue;
            if (static_cast<std::size_t>(i) >= outputs) continue;
            const node_id value = outputs == 1 ? made : builder_.projection(made, static_cast<std::size_t>(i), name);
            if (!define(f, name, value, label(node))) return false;
        }
        return true;
    }

    /// Attributes as values; graphs as functions behind the operands, in the order of the attributes in the file.
    bool read_attributes(onnx::NodeProto& node, onnx_call& call, frame& f, surroundings& all) {
        std::unordered_set<std::string_view> seen;
        std::vector<std::pair<std::string, node_id>> graphs;
        for (auto& written : *node.mutable_attribute()) {
            if (!seen.insert(written.name()).second) return fail_at(node, "has the attribute " + quoted_text(written.name()) + " twice");
            onnx::AttributeProto* a = resolved(written, all);
            if (a == nullptr) continue;
            if (form_of(*a) == onnx::AttributeProto::GRAPH) {
                node_id function = no_node;
                if (!read_function(*a->mutable_g(), f, all, function)) return false;
                graphs.emplace_back(written.name(), function);
                continue;
            }
            auto value = value_of(*a, "attribute " + quoted_text(written.name()), options_.external_data,
                                  all.function != nullptr ? after_reading::keep : after_reading::discard);
            if (!value) return fail_at(node, value.failure().message);
            if (*value) call.attributes.set(written.name(), **std::move(value));
        }
        std::sort(graphs.begin(), graphs.end());
        for (const auto& [name, function] : graphs) call.operands.push_back(function);
        return true;
    }

    /// Reads a graph into a block of its own, which stays open. Its result is a node of the block even where the graph only hands a
    /// value on.
    bool read_body(onnx::GraphProto& graph, const frame& f, surroundings& all, std::vector<node_id>& parameters, node_id& result) {
        emitter_.open_block();
        const auto first = static_cast<node_id>(builder_.so_far().size());
        frame inner;
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
    bool read_function(onnx::GraphProto& graph, const frame& f, surroundings& all, node_id& function) {
        std::vector<node_id> parameters;
        node_id result = no_node;
        if (!read_body(graph, f, all, parameters, result)) return false;
        function = builder_.function(parameters, result);
        return true;
    }

    bool read_constant_node(onnx::NodeProto& node, frame& f, surroundings& all) {
        if (node.attribute_size() != 1 || node.output_size() != 1) return fail_at(node, "must have one attribute and one output");
        onnx::AttributeProto* a = resolved(*node.mutable_attribute(0), all);
        if (a == nullptr) return fail_at(node, "takes its value from an attribute that the function's caller does not give");
        using proto = onnx::AttributeProto;
        const std::string name = name_of_node(node, all);
        node_id made = no_node;
        switch (form_of(*a)) {
            case proto::TENSOR:
                if (!read_constant(*a->mutable_t(), name, all, made)) return false;
                break;
            case proto::FLOAT:
                made = builder_.constant(tensor::scalar(a->f()), name);
                break;
            case proto::INT:
                made = builder_.constant(tensor::scalar(static_cast<std::int64_t>(a->i())), name);
                break;
            case proto::FLOATS:
                made = builder_.constant(tensor::of({a->floats_size()}, std::vector<float>(a->floats().begin(), a->floats().end())), name);
                break;
            case proto::INTS:
                made = emitter_.integers({a->ints().begin(), a->ints().end()}, name);
                break;
            case proto::STRING:
            case proto::STRINGS:
                made = unsupported_constant("strings", name);
                break;
            case proto::SPARSE_TENSOR:
                made = unsupported_constant("a sparse tensor", name);
                break;
            default:
                return fail_at(node, "has the attribute " + quoted_text(a->name()) + ", which is no constant's");
        }
        return define_outputs(node, made, 1, f);
    }

    bool read_if(onnx::NodeProto& node, const std::vector<node_id>& operands, frame& f, surroundings& all) {
        if (operands.size() != 1 || operands[0] == no_node) return fail_at(node, "must read one condition");
        node_id branches[2] = {no_node, no_node};
        const std::string_view names[2] = {"then_branch", "else_branch"};
        for (auto& a : *node.mutable_attribute())
            for (std::size_t i = 0; i < 2; ++i) {
                if (a.name() != names[i] || form_of(a) != onnx::AttributeProto::GRAPH) continue;
                if (branches[i] != no_node) return fail_at(node, "has the attribute " + quoted_text(a.name()) + " twice");
                if (a.g().output_size() != node.output_size())
                    return fail_at(node, "has " + std::to_string(node.output_size()) + " outputs, and its " + std::string(names[i]) +
                                             " has " + std::to_string(a.g().output_size()));
                if (!read_branch(*a.mutable_g(), f, all, branches[i])) return false;
            }
        if (branches[0] == no_node || branches[1] == no_node) return fail_at(node, "must have a then_branch and an else_branch");
        const node_id made = builder_.if_else(operands[0], branches[0], branches[1], name_of_node(node, all));
        return define_outputs(node, made, static_cast<std::size_t>(node.output_size()), f);
    }

    /// A graph without inputs, as a block.
    bool read_branch(onnx::GraphProto& graph, const frame& f, surroundings& all, node_id& result) {
        std::vector<node_id> parameters;
        if (!read_body(graph, f, all, parameters, result)) return false;
        if (!parameters.empty()) return fail("a branch of an If has inputs, and can have none");
        if (graph.output_size() == 0) return fail("a branch of an If has no outputs");
        builder_.close_block();
        return true;
    }

    /// Reads a function's body in the place of a call of it.
    bool inline_function(onnx::NodeProto& node, onnx_functions::function& function, std::vector<node_id> operands, frame& f,
                         surroundings& all) {
        onnx::FunctionProto& body = *function.proto;
        for (const surroundings* at = &all; at != nullptr; at = at->caller)
            if (at->function == &body) return fail_at(node, "the function calls itself, which no file may ask for");
        if (node.input_size() > body.input_size() || node.output_size() > body.output_size())
            return fail_at(node, "has " + std::to_string(node.input_size()) + " inputs and " + std::to_string(node.output_size()) +
                                     " outputs, and the function has " + std::to_string(body.input_size()) + " and " +
                                     std::to_string(body.output_size()));
        surroundings inside;
        inside.function = &body;
        inside.caller = &all;
        inside.prefix = name_of_node(node, all) + "/";
        if (!read_opsets(body.opset_import(), inside.opsets, "function " + quoted_text(body.name()))) return false;
        for (const auto& [domain, version] : all.opsets) inside.opsets.try_emplace(domain, version);
        for (auto& a : function.defaults) inside.attributes.insert_or_assign(a.name(), &a);
        for (auto& a : *node.mutable_attribute())
            if (onnx::AttributeProto* value = resolved(a, all)) inside.attributes.insert_or_assign(a.name(), value);
        for (const auto& inner : body.node()) {
            ++inside.uses_of_name[inner.name()];
            for (const auto& a : inner.attribute())
                if (a.has_g()) count_names(a.g(), inside.uses_of_name);
        }

        frame inner;
        collect_reads(body.node(), inner.read);
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
            const node_id* value = find(inner, body.output(i));
            if (value == nullptr || *value == no_node)
                return fail_at(node, "the function's output " + quoted_text(body.output(i)) + " is made by no node");
            if (!define(f, node.output(i), *value, label(node))) return false;
        }
        return true;
    }

    onnx::ModelProto& model_;
    const import_options& options_;
    ir_builder builder_;
    onnx_emitter emitter_;
    onnx_functions functions_;
    std::size_t depth_ = 0;
    std::string failure_;
};

}  // namespace inlay::detail

#endif
