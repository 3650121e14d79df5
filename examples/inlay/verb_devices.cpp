// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/passes/recover_places.hpp>

#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

/// The expressions of a function in post order, each node once. Operators, constructors and global functions are expressions too, each
/// once under its name; only the last are listed.
class numbered_expressions {
public:
    struct expression {
        std::size_t index;
        node_id node;
    };

    numbered_expressions(const ir_module& m, node_id function) : m_(m), is_done_(m.size(), 0) {
        struct visit {
            node_id node;
            std::uint32_t next = 0;
        };
        std::vector<visit> open{{function}};
        while (!open.empty()) {
            visit& top = open.back();
            const node_id n = top.node;
            if (is_done_[n] != 0) {
                open.pop_back();
                continue;
            }
            if (top.next == 0) count_callee(n);
            if (top.next < m.arity(n)) {
                const std::uint32_t at = top.next++;
                // Of a let the value comes first.
                const std::uint32_t i = m.kind(n) == node_kind::let && at < 2 ? 1 - at : at;
                open.push_back({m.operand(n, i)});
                continue;
            }
            open.pop_back();
            is_done_[n] = 1;
            if (m.kind(n) == node_kind::global && !globals_.insert(m.symbol(n)).second) continue;
            list_.push_back({count_++, n});
        }
    }

    [[nodiscard]] const std::vector<expression>& list() const { return list_; }

private:
    void count_callee(node_id n) {
        if (m_.kind(n) == node_kind::call && operators_.insert(m_.op(n)).second) ++count_;
        if (m_.kind(n) == node_kind::construct && constructors_.insert(m_.symbol(n)).second) ++count_;
    }

    const ir_module& m_;
    std::vector<char> is_done_;
    std::set<std::string_view> operators_, constructors_, globals_;
    std::vector<expression> list_;
    std::size_t count_ = 0;
};

/// What an expression is, for people.
std::string shown(const ir_module& m, node_id n) {
    switch (m.kind(n)) {
        case node_kind::input:
            return "%" + escaped_text(m.name(n), 80);
        case node_kind::global:
            return "@" + escaped_text(m.symbol(n), 80);
        case node_kind::construct:
            return escaped_text(m.symbol(n), 80);
        case node_kind::function:
            return m.symbol(n).empty() ? "function" : "function @" + escaped_text(m.symbol(n), 80);
        default:
            return escaped_text(m.op(n), 80);
    }
}

}  // namespace

answer verb_devices(const verb_options& o) {
    const auto m = load_written(o.model);
    if (!m) return say(answer::wrong, m.failure());
    const program_places places = recover_places(*m);
    json_output list = json_output::array();
    std::size_t open = 0;
    const numbered_expressions expressions(*m, m->main());
    for (const auto& [index, n] : expressions.list()) {
        const placement& p = places.of(n);
        const source_position at = m->position(n);
        const std::string device(p.device ? name_of(*p.device) : std::string_view("?"));
        open += p.device ? 0 : 1;
        if (o.json) {
            json_output one{{"index", index}};
            one["device_type"] = p.device ? json_output(device) : json_output();
            one["place"] = to_string(p);
            one["what"] = shown(*m, n);
            if (at.is_known()) {
                one["line"] = at.line;
                one["column"] = at.column;
            }
            list.push_back(std::move(one));
            continue;
        }
        std::cout << index << "\t" << device << "\t" << shown(*m, n);
        if (at.is_known()) std::cout << " at " << at.line << ":" << at.column;
        std::cout << "\t" << to_string(p) << "\n";
    }
    if (open != 0 && !o.engine.quiet)
        std::cerr << "inlay: of " << open << " expressions nothing says on which device they are; 'inlay place' plans them\n";
    if (o.json) {
        json_output whole{{"version", 1}};
        whole["expressions"] = std::move(list);
        std::cout << write_json(whole, 2) << "\n";
    }
    return answer::done;
}

}  // namespace tool
