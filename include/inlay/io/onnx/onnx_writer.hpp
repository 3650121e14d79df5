// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_WRITER_HPP
#define INLAY_IO_ONNX_ONNX_WRITER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/io/onnx/attribute_proto.hpp>
#include <inlay/io/onnx/export_options.hpp>
#include <inlay/io/onnx/onnx_tensors.hpp>
#include <inlay/io/onnx/onnx_types.hpp>
#include <inlay/io/onnx/onnx_value_names.hpp>
#include <inlay/io/onnx/onnx_versions.hpp>
#include <inlay/io/onnx/operator_name.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/interpret/call_outputs.hpp>
#include <inlay/ops/node_label.hpp>

namespace inlay::detail {

/// Writes a module, or a region of one, as one ONNX model; used once. Members that can fail return false and leave the error in `failure_`.
class onnx_writer {
public:
    onnx_writer(const ir_module& m, const export_options& options)
        : m_(m), options_(options), outputs_(call_outputs(m)), names_(m, outputs_), in_block_(m.blocks()) {
        for (node_id n = 0; n < m.size(); ++n) in_block_[m.block(n)].push_back(n);
    }

    outcome<std::string> write() {
        onnx::GraphProto& graph = *model_.mutable_graph();
        graph.set_name(options_.name);
        if (!(options_.region.empty() ? write_main(graph) : write_region(graph))) return error{failure_};
        // In the order of the program, not of reading, so that reading back numbers them alike.
        for (const node_id n : constants_) {
            auto& t = *graph.add_initializer();
            t.set_name(names_.of({n, 0}));
            write_tensor(*m_.constant(n), t);
        }
        if (graph.output_size() == 0)
            return error{"the region has no value that anything outside reads, so that its model would have no output"};
        write_versions(used_, m_.attributes(m_.main()), model_);
        std::string bytes;
        const std::size_t size = model_.ByteSizeLong();
        if (size > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
            return error{"the model would have " + std::to_string(size) + " bytes, and ONNX ends at 2 GB; write a smaller region"};
        bytes.reserve(size);
        {
            google::protobuf::io::StringOutputStream stream(&bytes);
            google::protobuf::io::CodedOutputStream coded(&stream);
            coded.SetSerializationDeterministic(true);
            if (!model_.SerializeToCodedStream(&coded)) return error{"the model does not fit into memory"};
        }
        return bytes;
    }

private:
    using value = onnx_value;

    [[nodiscard]] value value_of(node_id n) const { return onnx_value_of(m_, n); }
    [[nodiscard]] const node_type& type_of(value v) const { return onnx_value_type(m_, v); }

    bool fail_at(node_id n, const std::string& what) {
        failure_ = at_node(m_, n, error{what}).message;
        return false;
    }

    [[nodiscard]] bool is_unit(node_id n) const { return m_.kind(n) == node_kind::tuple && m_.arity(n) == 0; }

    /// The name by which a node reads a value; what stands outside becomes an input, constants initialisers.
    bool read(node_id n, node_id reader, std::string& name) {
        if (is_unit(n)) {
            name.clear();
            return true;
        }
        const value v = value_of(n);
        if (m_.kind(v.first) == node_kind::tuple || m_.kind(v.first) == node_kind::function)
            return fail_at(reader, "reads a tuple or a function, which no ONNX node can");
        name = names_.of(v);
        if (!known_.insert(v).second) return true;
        if (const tensor* constant = m_.constant(v.first)) {
            constant_bytes_ += constant->bytes();
            if (constant_bytes_ > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
                return fail_at(reader, "the model's constants have more than 2 GB, and ONNX ends there; write a smaller region");
            constants_.insert(v.first);
            return true;
        }
        return write_input(v, name, *model_.mutable_graph());
    }
    bool write_input(value v, const std::string& name, onnx::GraphProto& graph) {
        auto& input = *graph.add_input();
        input.set_name(name);
        if (!write_type(type_of(v), *input.mutable_type()))
            return fail_at(v.first,
                           "its type is " + to_string(type_of(v)) + ", and an input of a model must be a tensor of known element type");
        return true;
    }

    /// Declares a result under a name, by way of an Identity where the value has another name already, or is no node's output here.
    void write_output(node_id n, const std::string& name, const std::string& value_name, onnx::GraphProto& graph) {
        if (name != value_name) {
            auto& identity = *graph.add_node();
            identity.set_op_type("Identity");
            identity.add_input(value_name);
            identity.add_output(name);
        }
        auto& output = *graph.add_output();
        output.set_name(name);
        if (!write_type(type_of(value_of(n)), *output.mutable_type())) output.clear_type();
    }

    /// The operands of a result tuple, or the one result.
    [[nodiscard]] std::vector<node_id> fields_of(node_id result) const {
        if (m_.kind(result) != node_kind::tuple) return {result};
        return {m_.operands(result).begin(), m_.operands(result).end()};
    }

    /// Marks what a block's results need, so that dead nodes stay out.
    void mark_needed() {
        needed_.assign(m_.size(), false);
        needed_[m_.main()] = true;
        for (node_id n = static_cast<node_id>(m_.size()); n-- > 0;)
            if (needed_[n])
                for (const node_id o : m_.operands(n)) needed_[o] = true;
    }

    bool write_main(onnx::GraphProto& graph) {
        mark_needed();
        const auto results = m_.results();
        const auto& names = m_.result_names();
        for (const node_id n : m_.inputs()) {
            const std::string name = m_.name(n).empty() ? "input_" + std::to_string(n) : std::string(m_.name(n));
            names_.give({n, 0}, name);
            known_.insert({n, 0});
            if (!write_input({n, 0}, name, graph)) return false;
        }
        std::vector<std::string> result_names;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const value v = value_of(results[i]);
            if (names.size() != results.size()) {
                result_names.push_back(m_.kind(v.first) == node_kind::input || m_.kind(v.first) == node_kind::constant
                                           ? names_.fresh("output")
                                           : names_.of(v));
                continue;
            }
            result_names.push_back(names[i]);
            if (m_.kind(v.first) == node_kind::input || m_.kind(v.first) == node_kind::constant)
                names_.take(names[i]);
            else
                names_.give(v, names[i]);
        }
        block_id body = m_.block(m_.result(m_.main()));
        if (!m_.inputs().empty()) body = m_.block(m_.inputs()[0]);
        if (!write_block(body, graph)) return false;
        for (std::size_t i = 0; i < results.size(); ++i) {
            std::string name;
            if (is_unit(results[i])) return fail_at(results[i], "is a result without a value, which no model can have");
            if (!read(results[i], m_.main(), name)) return false;
            write_output(results[i], result_names[i], name, graph);
        }
        return true;
    }

    bool write_region(onnx::GraphProto& graph) {
        needed_.assign(m_.size(), true);
        std::vector<node_id> nodes = options_.region;
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        std::vector<bool> inside(m_.size(), false);
        for (const node_id n : nodes) {
            if (n >= m_.size()) {
                failure_ = "the region has the node " + std::to_string(n) + ", and the program has " + std::to_string(m_.size());
                return false;
            }
            if (m_.block(n) != m_.block(nodes[0])) return fail_at(n, "stands in another block than the rest of the region");
            inside[n] = true;
        }
        for (const node_id n : nodes)
            if (!write_node(n, graph)) return false;

        std::set<value> leaving;
        const auto see = [&](node_id n) {
            for (const node_id field : fields_of(n)) {
                const value v = value_of(field);
                const node_kind k = m_.kind(v.first);
                if (inside[v.first] && (k == node_kind::call || k == node_kind::if_else)) leaving.insert(v);
            }
        };
        for (node_id n = 0; n < m_.size(); ++n)
            if (!inside[n])
                for (const node_id o : m_.operands(n)) see(o);
        for (const node_id n : m_.results()) see(n);
        for (const value& v : leaving) {
            auto& output = *graph.add_output();
            output.set_name(names_.of(v));
            if (!write_type(type_of(v), *output.mutable_type())) output.clear_type();
        }
        return true;
    }

    bool write_block(block_id b, onnx::GraphProto& graph) {
        for (const node_id n : in_block_[b])
            if (needed_[n] && !write_node(n, graph)) return false;
        return true;
    }

    bool write_node(node_id n, onnx::GraphProto& graph) {
        switch (m_.kind(n)) {
            case node_kind::input:
            case node_kind::constant:
            case node_kind::tuple:
            case node_kind::projection:
            case node_kind::function:
                return true;
            case node_kind::call:
                return write_call(n, graph);
            case node_kind::if_else:
                return write_if(n, graph);
            default:
                return fail_at(n, "a node of this kind cannot be said in ONNX");
        }
    }

    /// Names and declares a node's outputs; those in the middle that nobody reads are left empty.
    void write_outputs(node_id n, std::size_t count, onnx::NodeProto& node, onnx::GraphProto& graph) {
        for (std::size_t i = 0; i < count; ++i) {
            const value v{n, i};
            known_.insert(v);
            node.add_output(names_.of(v));
            if (i >= std::max<std::size_t>(outputs_[n], 1) || names_of_results(node.output(static_cast<int>(i)))) continue;
            auto& info = *graph.add_value_info();
            info.set_name(node.output(static_cast<int>(i)));
            if (!write_type(type_of(v), *info.mutable_type())) graph.mutable_value_info()->RemoveLast();
        }
    }
    [[nodiscard]] bool names_of_results(const std::string& name) const {
        return options_.region.empty() && std::find(m_.result_names().begin(), m_.result_names().end(), name) != m_.result_names().end();
    }

    bool write_call(node_id n, onnx::GraphProto& graph) {
        const operator_name name = operator_name_of(m_.op(n));
        if (!name.old_form.empty())
            return fail_at(n, "has the form of opset " + name.old_form.substr(1) + ", which cannot be written beside newer ones");
        if (m_.op(n) == "onnx.Constant")
            return fail_at(n, "is a constant that holds " +
                                  std::string(inlay::read<constant_attributes>(m_.attributes(n)).holds.value_or("nothing")) +
                                  ", which is not supported");
        onnx::NodeProto node;
        node.set_name(std::string(m_.name(n)));
        node.set_op_type(name.op);
        if (name.domain != "ai.onnx") node.set_domain(name.domain);
        used_.domains.insert(name.domain);
        if (name.domain == "ai.onnx") used_.operators.insert(name.op);
        bool has_body = false;
        for (const node_id o : m_.operands(n)) {
            if (m_.kind(o) == node_kind::function) {
                if (has_body) return fail_at(n, "reads several functions, which no ONNX operator does");
                has_body = true;
                auto* a = node.add_attribute();
                a->set_name("body");
                a->set_type(onnx::AttributeProto::GRAPH);
                if (!write_function(o, *a->mutable_g())) return false;
                continue;
            }
            std::string operand;
            if (!read(o, n, operand)) return false;
            node.add_input(operand);
        }
        for (const auto& [key, v] : m_.attributes(n)) write_attribute(key, v, node);
        std::size_t outputs = std::max<std::size_t>(outputs_[n], 1);
        // Split must name every piece.
        if (name.op == "Split")
            outputs = std::max(outputs, static_cast<std::size_t>(std::clamp<std::int64_t>(
                                            inlay::read<split_attributes>(m_.attributes(n)).num_outputs.value_or(1), 1, 65536)));
        if (name.op == "Split" && m_.arity(n) > 1 && m_.constant(m_.operand(n, 1)) != nullptr)
            outputs = std::max(outputs, m_.constant(m_.operand(n, 1))->count());
        write_outputs(n, outputs, node, graph);
        *graph.add_node() = std::move(node);
        return true;
    }

    bool write_function(node_id function, onnx::GraphProto& graph) {
        graph.set_name(names_.fresh("body"));
        for (const node_id p : m_.parameters(function)) {
            const std::string name = names_.of({p, 0});
            known_.insert({p, 0});
            auto& input = *graph.add_input();
            input.set_name(name);
            if (!write_type(m_.type(p), *input.mutable_type())) input.clear_type();
        }
        const node_id result = m_.result(function);
        const auto parameters = m_.parameters(function);
        return write_body(parameters.empty() ? block_below(result, function) : m_.block(parameters[0]), function, result, graph);
    }

    /// The block of `result` or around it that stands directly in the block of `of`; that block itself where the result is outside.
    [[nodiscard]] block_id block_below(node_id result, node_id of) const {
        block_id b = m_.block(result);
        while (b != 0 && b != m_.block(of) && m_.parent(b) != m_.block(of)) b = m_.parent(b);
        return b;
    }

    bool write_body(block_id body, node_id of, node_id result, onnx::GraphProto& graph) {
        if (body != m_.block(of) && !write_block(body, graph)) return false;
        for (const node_id r : fields_of(result)) {
            std::string name;
            if (!read(r, of, name)) return false;
            // A graph's output must be made in the graph, and once.
            const bool made_here = m_.block(value_of(r).first) == body && m_.kind(value_of(r).first) != node_kind::input &&
                                   m_.kind(value_of(r).first) != node_kind::constant && !is_output(graph, name);
            write_output(r, made_here ? name : names_.fresh(name), name, graph);
        }
        return true;
    }
    static bool is_output(const onnx::GraphProto& graph, const std::string& name) {
        return std::any_of(graph.output().begin(), graph.output().end(), [&](const auto& o) { return o.name() == name; });
    }

    bool write_if(node_id n, onnx::GraphProto& graph) {
        onnx::NodeProto node;
        node.set_name(std::string(m_.name(n)));
        node.set_op_type("If");
        std::string condition;
        if (!read(m_.operand(n, 0), n, condition)) return false;
        node.add_input(condition);
        used_.domains.insert("ai.onnx");
        const char* attributes[] = {"then_branch", "else_branch"};
        for (std::size_t i = 0; i < 2; ++i) {
            auto* a = node.add_attribute();
            a->set_name(attributes[i]);
            a->set_type(onnx::AttributeProto::GRAPH);
            a->mutable_g()->set_name(names_.fresh(attributes[i]));
            const node_id result = m_.operand(n, i + 1);
            if (!write_body(block_below(result, n), n, result, *a->mutable_g())) return false;
        }
        const node_type& type = m_.type(n);
        std::size_t outputs = m_.kind(m_.operand(n, 1)) == node_kind::tuple ? m_.arity(m_.operand(n, 1))
                              : type.is_tuple()                             ? type.fields.size()
                                                                            : 1;
        write_outputs(n, outputs, node, graph);
        *graph.add_node() = std::move(node);
        return true;
    }

    const ir_module& m_;
    const export_options& options_;
    std::vector<std::size_t> outputs_;
    onnx_value_names names_;
    std::vector<std::vector<node_id>> in_block_;
    std::vector<bool> needed_;
    onnx::ModelProto model_;
    std::set<value> known_;
    std::set<node_id> constants_;
    used_operators used_;
    std::size_t constant_bytes_ = 0;
    std::string failure_;
};

}  // namespace inlay::detail

#endif
