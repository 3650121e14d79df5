// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "constraint_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include <inlay/import/json.hpp>
#include <inlay/import/nearest_name.hpp>
#include <inlay/import/quoted_text.hpp>
#include <inlay/import/read_file.hpp>

#include "model.hpp"

namespace tool {

using namespace inlay;

namespace {

constexpr std::array rules{constraint_rule::pin, constraint_rule::forbid, constraint_rule::prefer, constraint_rule::colocate, constraint_rule::separate};

outcome<std::vector<std::string>> texts_at(const json_place& at, std::string_view key) {
    std::vector<std::string> texts;
    const auto member = at.find(key);
    if (!member) return texts;
    auto list = member->list();
    if (!list) return list.failure();
    for (const json_place& item : *list) {
        auto text = item.text();
        if (!text) return text.failure();
        texts.push_back(*std::move(text));
    }
    return texts;
}

class constraint_reader {
public:
    constraint_reader(const ir_module& m, const std::vector<std::string>& kinds) : model_(&m), kinds_(&kinds) {
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::call) calls_.push_back(n);
    }

    [[nodiscard]] outcome<plan_constraint> read(const json_place& at) const {
        if (auto only = at.only({"rule", "nodes", "ops", "backend", "seconds"}); !only) return only.failure();
        plan_constraint made;
        auto rule_at = at.member("rule");
        if (!rule_at) return rule_at.failure();
        auto word = rule_at->text();
        if (!word) return word.failure();
        std::vector<std::string> words;
        for (const constraint_rule r : rules) words.emplace_back(name_of(r));
        const auto rule = std::find(words.begin(), words.end(), *word);
        if (rule == words.end()) return rule_at->wrong("is no rule" + name_hint(*word, words) + "; write pin, forbid, prefer, colocate or separate");
        made.rule = rules[static_cast<std::size_t>(rule - words.begin())];
        const bool has_backend = made.rule == constraint_rule::pin || made.rule == constraint_rule::forbid || made.rule == constraint_rule::prefer;
        if (auto backend = read_backend(at, has_backend); !backend)
            return backend.failure();
        else if (*backend)
            made.backend = **backend;
        if (const auto seconds = at.find("seconds"); seconds.has_value() != (made.rule == constraint_rule::prefer))
            return at.wrong(seconds ? "has seconds, which only prefer has a use for" : "must say what it is worth for each node, under seconds");
        else if (seconds) {
            auto worth = seconds->number();
            if (!worth) return worth.failure();
            if (!(*worth >= 0)) return seconds->wrong("must be 0 or more");
            made.seconds = *worth;
        }
        if (auto nodes = read_nodes(at, made.nodes); !nodes) return nodes.failure();
        made.text = at.path() + " (" + *word + (has_backend ? " " + (*kinds_)[made.backend] : std::string()) + ")";
        return made;
    }

private:
    [[nodiscard]] outcome<std::optional<backend_id>> read_backend(const json_place& at, bool is_needed) const {
        const auto member = at.find("backend");
        if (member.has_value() != is_needed)
            return at.wrong(is_needed ? "must name a backend" : "names a backend, which this rule has no use for");
        if (!member) return std::optional<backend_id>();
        auto kind = member->text();
        if (!kind) return kind.failure();
        const auto found = std::find(kinds_->begin(), kinds_->end(), *kind);
        if (found == kinds_->end()) return member->wrong("is " + quoted_text(*kind) + ", which takes no part" + name_hint(*kind, *kinds_) + "; name one that does");
        return std::optional(static_cast<backend_id>(found - kinds_->begin()));
    }

    [[nodiscard]] outcome<void> read_nodes(const json_place& at, std::vector<node_id>& to) const {
        auto names = texts_at(at, "nodes");
        if (!names) return names.failure();
        auto ops = texts_at(at, "ops");
        if (!ops) return ops.failure();
        for (const std::string& name : *names) {
            auto n = node_named(*model_, name);
            if (!n) return at.wrong("names a node that there is not: " + n.failure().message);
            if (model_->kind(*n) != node_kind::call && model_->kind(*n) != node_kind::projection)
                return at.wrong("names " + quoted_text(name) + ", which nobody has to compute; name nodes that `inlay show` lists as computed");
            to.push_back(*n);
        }
        for (const std::string& op : *ops) {
            const std::size_t before = to.size();
            for (const node_id n : calls_)
                if (model_->op(n) == op || model_->op(n) == "onnx." + op) to.push_back(n);
            if (to.size() == before) {
                std::vector<std::string> known;
                for (const node_id n : calls_) known.emplace_back(model_->op(n));
                return at.wrong("names operator " + quoted_text(op) + ", which the model has not" + name_hint(op, known));
            }
        }
        std::sort(to.begin(), to.end());
        to.erase(std::unique(to.begin(), to.end()), to.end());
        if (to.empty()) return at.wrong("must name nodes, or ops");
        return {};
    }

    const ir_module* model_;
    const std::vector<std::string>* kinds_;
    std::vector<node_id> calls_;
};

}  // namespace

outcome<std::vector<plan_constraint>> read_constraints(const std::string& path, const ir_module& m, const std::vector<std::string>& kinds) {
    auto text = read_file(path);
    if (!text) return text.failure();
    const auto fault = [&](const error& what) { return error{quoted_text(path, 400) + ": " + what.message}; };
    auto value = read_json(*text);
    if (!value) return fault(value.failure());
    const json_place root(*value);
    if (auto only = root.only({"version", "constraints"}); !only) return fault(only.failure());
    auto version_at = root.member("version");
    if (!version_at) return fault(version_at.failure());
    auto version = version_at->number();
    if (!version) return fault(version.failure());
    if (*version != 1) return fault(error{"it has version " + json_number(*version) + "; this program reads version 1"});
    auto list_at = root.member("constraints");
    if (!list_at) return fault(list_at.failure());
    auto list = list_at->list();
    if (!list) return fault(list.failure());
    const constraint_reader reader(m, kinds);
    std::vector<plan_constraint> made;
    for (const json_place& one : *list) {
        auto read = reader.read(one);
        if (!read) return fault(read.failure());
        made.push_back(*std::move(read));
    }
    return made;
}

}  // namespace tool
