// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_INLINED_SIZE_HPP
#define INLAY_IO_ONNX_INLINED_SIZE_HPP

#include <cstddef>
#include <map>
#include <string>

#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/onnx/import_options.hpp>
#include <inlay/io/onnx/onnx_functions.hpp>

namespace inlay::detail {

/// How many nodes a graph has once the functions that it calls are inlined, calls of empty functions counted too; each function is counted
/// once, however often it is called. Time linear in the file.
class inlined_size {
public:
    inlined_size(onnx_functions& functions, const import_options& options) : functions_(functions), options_(options) {}

    /// Refuses a graph that has more nodes then than the options allow, or calls that stand too deep in each other. A function that calls
    /// itself is left to the reader.
    [[nodiscard]] outcome<void> check(const onnx::GraphProto& graph) {
        std::size_t total = 0;
        return add(graph.node(), total);
    }

private:
    struct count {
        std::size_t nodes = 0;
        bool is_open = true;  // it is being counted
    };

    [[nodiscard]] error too_many(const onnx::FunctionProto* biggest) const {
        return error{"the program would have more than " + std::to_string(options_.most_nodes) + " nodes once its functions are inlined" +
                     (biggest == nullptr ? std::string() : ", of which function " + quoted_text(biggest->name()) + " brings most") +
                     "; let the functions call each other less often"};
    }

    template <class Nodes>
    [[nodiscard]] outcome<void> add(const Nodes& nodes, std::size_t& total) {
        // Depth is of calls and of graphs in nodes, as the reader counts it.
        if (++depth_ > options_.deepest)
            return error{"graphs and functions stand in each other more than " + std::to_string(options_.deepest) + " deep"};
        for (const auto& node : nodes) {
            std::size_t more = 1;
            const onnx::FunctionProto* called = nullptr;
            if (const auto* function = called_by(node); function != nullptr) {
                called = function->proto;
                const auto [at, is_new] = counts_.try_emplace(called);
                if (is_new) {
                    std::size_t inside = 0;
                    if (auto done = add(called->node(), inside); !done) return done;
                    at->second = {inside, false};
                }
                if (!at->second.is_open) more += at->second.nodes;
            }
            // Both are at most `most_nodes`, so that the sum does not overflow.
            if (more > options_.most_nodes || total > options_.most_nodes - more) return too_many(called);
            total += more;
            for (const auto& a : node.attribute())
                if (a.has_g())
                    if (auto done = add(a.g().node(), total); !done) return done;
        }
        --depth_;
        return {};
    }

    [[nodiscard]] const onnx_functions::function* called_by(const onnx::NodeProto& node) {
        const auto* function = functions_.find(node);
        if (function == nullptr || options_.operators == nullptr) return function;
        return options_.operators(operator_of(node)) == nullptr ? function : nullptr;
    }

    onnx_functions& functions_;
    const import_options& options_;
    std::map<const onnx::FunctionProto*, count> counts_;  // an entry stays where it is while others come
    std::size_t depth_ = 0;
};

}  // namespace inlay::detail

#endif
