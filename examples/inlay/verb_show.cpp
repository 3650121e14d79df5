// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <inlay/graph/dot.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/relay/relay_document.hpp>
#include <inlay/ir/node_name.hpp>
#include <inlay/passes/recover_places.hpp>

#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer verb_show(const verb_options& o, const show_options& show) {
    if ((o.json ? 1 : 0) + (show.text ? 1 : 0) + (show.dot ? 1 : 0) > 1)
        return say(answer::wrong, error{"--text, --dot and --json are three forms of one answer; give one of them"});
    // Relay text is shown in Relay's operators, as it is written.
    const auto loaded = [&]() -> outcome<ir_module> {
        if (is_relay(o.model.path)) return load_written(o.model);
        auto made = load_prepared(o.model, {.lifts_control = false});
        if (!made) return made.failure();
        return std::move(made->program);
    };
    const auto model = loaded();
    if (!model) return say(answer::wrong, model.failure());
    const ir_module& m = *model;
    if (show.text) {
        std::cout << relay_document(m);
        return answer::done;
    }
    const program_places places = recover_places(m);
    // The place behind a separator; empty where nothing says it.
    const auto place = [&](node_id n, const char* before) {
        return places.of(n).is_free() ? std::string() : before + to_string(places.of(n));
    };
    if (show.dot) {
        std::cout << dot_text(
            m, [&](node_id n) { return name_of_node(m, n) + "\n" + std::string(m.op(n)) + "\n" + to_string(m.type(n)) + place(n, "\n"); });
        return answer::done;
    }
    json_output nodes = json_output::array();
    for (node_id n = 0; n < m.size(); ++n) {
        if (m.kind(n) == node_kind::function) continue;
        if (!o.json) {
            std::cout << n << "\t" << shown_name(m, n) << "\t" << escaped_text(m.op(n)) << "\t" << to_string(m.type(n));
            for (std::size_t i = 0; i < m.arity(n); ++i) std::cout << (i == 0 ? "\t" : ",") << m.operand(n, i);
            std::cout << place(n, m.arity(n) == 0 ? "\t\t" : "\t") << "\n";
            continue;
        }
        json_output one{{"id", n}, {"name", name_of_node(m, n)}, {"op", m.op(n)}, {"type", to_string(m.type(n))}};
        one["operands"] = json_output::array();
        for (const node_id operand : m.operands(n)) one["operands"].push_back(operand);
        if (!places.of(n).is_free()) one["place"] = to_string(places.of(n));
        nodes.push_back(std::move(one));
    }
    if (o.json) {
        json_output whole{{"version", 1}};
        whole["nodes"] = std::move(nodes);
        std::cout << write_json(whole, 2) << "\n";
    }
    return answer::done;
}

}  // namespace tool
