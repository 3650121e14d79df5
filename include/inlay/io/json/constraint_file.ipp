// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_CONSTRAINT_FILE_IPP
#define INLAY_IO_JSON_CONSTRAINT_FILE_IPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/io/json/constraint_file.hpp>

#include <inlay/codegen/list/backends_ref.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ir/node_name.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/partition/plan_constraint.hpp>
#include <inlay/plan/fallback_policy.hpp>
#include <inlay/plan/plan_limit.hpp>
#include <inlay/plan/plan_rules.hpp>
#include <inlay/search/constrained/constraints.hpp>

namespace inlay {

namespace detail {

/// A rule of the file, and the keys that it has a use for besides `rule`.
struct constraint_form {
    std::string_view name;
    std::vector<std::string_view> keys;
};

inline const std::vector<constraint_form>& constraint_forms() {
    static const std::vector<constraint_form> forms{
        {"pin", {"nodes", "ops", "backend"}},
        {"forbid", {"nodes", "ops", "backend"}},
        {"prefer", {"nodes", "ops", "backend", "seconds"}},
        {"colocate", {"nodes", "ops"}},
        {"separate", {"nodes", "ops"}},
        {"keep", {"nodes", "ops", "backend", "plan"}},
        {"part_limit", {"backend", "most_nodes", "most_bytes", "most_live_bytes"}},
        {"capacity", {"backend", "backends", "bytes"}},
        {"limit", {"of", "backend", "most"}},
        {"fallback", {"nodes", "ops", "policy"}},
    };
    return forms;
}

/// The constraint rule of that name; part rules and node rules alone have one.
inline constraint_rule constraint_rule_named(std::string_view name) {
    for (const constraint_rule r : {constraint_rule::pin, constraint_rule::forbid, constraint_rule::prefer, constraint_rule::colocate,
                                    constraint_rule::separate, constraint_rule::keep})
        if (name == name_of(r)) return r;
    return constraint_rule::part_limit;
}

/// The list of texts under a key; none where the key is not there.
inline outcome<std::vector<std::string>> constraint_texts_at(const json_place& at, std::string_view key) {
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

/// Reads rules about one module. Refers to all that it is made from.
class constraint_reader {
public:
    constraint_reader(const ir_module& m, backends_ref backends, const plan_finder& parts_at)
        : model_(m), chosen_(backends.chosen()), parts_at_(parts_at) {
        for (std::size_t b = 0; b < backends.size(); ++b) kinds_.emplace_back(backends.kind(b));
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::call) calls_.push_back(n);
    }

    /// Adds what one place of the list says.
    [[nodiscard]] outcome<void> read(const json_place& at, plan_rules& to) const {
        if (auto only = at.only({"rule", "nodes", "ops", "backend", "seconds", "plan", "most_nodes", "most_bytes", "most_live_bytes",
                                 "backends", "bytes", "of", "most", "policy"});
            !only)
            return only.failure();
        auto rule_at = at.member("rule");
        if (!rule_at) return rule_at.failure();
        auto word = rule_at->text();
        if (!word) return word.failure();
        std::vector<std::string> words;
        for (const constraint_form& form : constraint_forms()) words.emplace_back(form.name);
        const auto found = std::find(words.begin(), words.end(), *word);
        if (found == words.end())
            return rule_at->wrong("is no rule" + name_hint(*word, words) +
                                  "; write pin, forbid, prefer, colocate, separate, keep, part_limit, capacity, limit or fallback");
        const constraint_form& form = constraint_forms()[static_cast<std::size_t>(found - words.begin())];
        auto members = at.members();
        if (!members) return members.failure();
        for (const auto& [key, member] : *members)
            if (key != "rule" && std::find(form.keys.begin(), form.keys.end(), key) == form.keys.end())
                return at.wrong("has " + key + ", which " + *word + " has no use for");
        if (*word == "keep" && at.find("plan")) return read_kept(at, to);
        if (*word == "part_limit") return read_part_limit(at, to);
        if (*word == "capacity") return read_capacity(at, to);
        if (*word == "limit") return read_limit(at, to);
        if (*word == "fallback") return read_fallback(at, to);
        plan_constraint made;
        made.rule = constraint_rule_named(*word);
        const bool has_backend = made.rule != constraint_rule::colocate && made.rule != constraint_rule::separate;
        if (has_backend) {
            auto backend = read_backend(at);
            if (!backend) return backend.failure();
            if (made.rule == constraint_rule::keep && !takes_part(*backend)) return takes_no_part(*at.find("backend"), *backend);
            made.backend = *backend;
        }
        if (made.rule == constraint_rule::prefer) {
            if (!at.find("seconds")) return at.wrong("must say what it is worth for each node, under seconds");
            auto worth = amount(at, "seconds");
            if (!worth) return worth.failure();
            made.seconds = *worth;
        }
        if (auto nodes = read_nodes(at, made.nodes, true); !nodes) return nodes.failure();
        made.text = text_of(at, *word, has_backend ? kinds_[made.backend] : std::string());
        to.constraints.push_back(std::move(made));
        return {};
    }

private:
    [[nodiscard]] static std::string text_of(const json_place& at, const std::string& rule, const std::string& more) {
        return at.path() + " (" + rule + (more.empty() ? "" : " ") + more + ")";
    }
    /// A number of 0 or more.
    [[nodiscard]] static outcome<double> amount(const json_place& at, std::string_view key) {
        auto member = at.member(key);
        if (!member) return member.failure();
        auto number = member->number();
        if (number && !(*number >= 0)) return member->wrong("must be 0 or more");
        return number;
    }

    [[nodiscard]] bool takes_part(backend_id number) const { return std::find(chosen_.begin(), chosen_.end(), number) != chosen_.end(); }
    [[nodiscard]] error takes_no_part(const json_place& at, backend_id number) const {
        return at.wrong("is " + quoted_text(kinds_[number]) + ", which takes no part in this call; name one that does");
    }

    [[nodiscard]] outcome<backend_id> backend_named(const json_place& at) const {
        auto kind = at.text();
        if (!kind) return kind.failure();
        const auto found = std::find(kinds_.begin(), kinds_.end(), *kind);
        if (found == kinds_.end())
            return at.wrong("is " + quoted_text(*kind) + ", which takes no part" + name_hint(*kind, kinds_) + "; name one that does");
        return static_cast<backend_id>(found - kinds_.begin());
    }
    [[nodiscard]] outcome<backend_id> read_backend(const json_place& at) const {
        const auto member = at.find("backend");
        if (!member) return at.wrong("must name a backend");
        return backend_named(*member);
    }
    [[nodiscard]] outcome<backend_id> read_chosen_backend(const json_place& at) const {
        auto backend = read_backend(at);
        if (backend && !takes_part(*backend)) return takes_no_part(*at.find("backend"), *backend);
        return backend;
    }

    [[nodiscard]] outcome<void> read_part_limit(const json_place& at, plan_rules& to) const {
        plan_constraint made;
        made.rule = constraint_rule::part_limit;
        auto backend = read_chosen_backend(at);
        if (!backend) return backend.failure();
        made.backend = made.cap.backend = *backend;
        std::string said;
        for (const auto& [key, place] : {std::pair{"most_nodes", &made.cap.most_nodes}, std::pair{"most_bytes", &made.cap.most_bytes},
                                         std::pair{"most_live_bytes", &made.cap.most_live_bytes}}) {
            if (!at.find(key)) continue;
            auto most = amount(at, key);
            if (!most) return most.failure();
            *place = *most;
            said += std::string(", ") + key + " " + json_number(*most);
        }
        if (said.empty()) return at.wrong("must say most_nodes, most_bytes or most_live_bytes");
        made.text = text_of(at, "part_limit", kinds_[made.backend] + said);
        to.constraints.push_back(std::move(made));
        return {};
    }

    [[nodiscard]] outcome<void> read_capacity(const json_place& at, plan_rules& to) const {
        plan_limit made;
        made.of = plan_amount::constant_bytes;
        const auto several = at.find("backends");
        if (several.has_value() == at.find("backend").has_value()) return at.wrong("must name a backend, or a list of backends");
        if (several) {
            auto list = several->list();
            if (!list) return list.failure();
            if (list->empty()) return several->wrong("must name at least one");
            for (const json_place& one : *list) {
                auto backend = backend_named(one);
                if (!backend) return backend.failure();
                if (!takes_part(*backend)) return takes_no_part(one, *backend);
                if (std::find(made.backends.begin(), made.backends.end(), *backend) == made.backends.end())
                    made.backends.push_back(*backend);
            }
        } else {
            auto backend = read_chosen_backend(at);
            if (!backend) return backend.failure();
            made.backends.push_back(*backend);
        }
        auto most = amount(at, "bytes");
        if (!most) return most.failure();
        made.most = *most;
        std::string names;
        for (const backend_id b : made.backends) names += (names.empty() ? "" : ", ") + kinds_[b];
        made.text = text_of(at, "capacity", names + ", " + json_number(*most) + " bytes");
        to.limits.push_back(std::move(made));
        return {};
    }

    [[nodiscard]] outcome<void> read_limit(const json_place& at, plan_rules& to) const {
        plan_limit made;
        auto of_at = at.member("of");
        if (!of_at) return of_at.failure();
        auto of = of_at->text();
        if (!of) return of.failure();
        const std::vector<std::string> words{"seconds", "peak_bytes", "load"};
        const auto found = std::find(words.begin(), words.end(), *of);
        if (found == words.end())
            return of_at->wrong("is " + quoted_text(*of) + name_hint(*of, words) + "; write seconds, peak_bytes or load");
        constexpr std::array amounts{plan_amount::seconds, plan_amount::peak_bytes, plan_amount::load};
        made.of = amounts[static_cast<std::size_t>(found - words.begin())];
        if (made.of == plan_amount::load) {
            auto backend = read_chosen_backend(at);
            if (!backend) return backend.failure();
            made.backends.push_back(*backend);
        } else if (at.find("backend")) {
            return at.wrong("names a backend, which a limit of " + *of + " has no use for");
        }
        auto most = amount(at, "most");
        if (!most) return most.failure();
        made.most = *most;
        made.text =
            text_of(at, "limit", *of + (made.backends.empty() ? "" : " of " + kinds_[made.backends.front()]) + " " + json_number(*most));
        to.limits.push_back(std::move(made));
        return {};
    }

    [[nodiscard]] outcome<void> read_fallback(const json_place& at, plan_rules& to) const {
        auto policy_at = at.member("policy");
        if (!policy_at) return policy_at.failure();
        auto word = policy_at->text();
        if (!word) return word.failure();
        const auto policy = fallback_policy_named(*word);
        if (!policy)
            return policy_at->wrong("is " + quoted_text(*word) + name_hint(*word, fallback_policy_names) +
                                    "; write require, warn or allow");
        fallback_rule made{*policy, {}, text_of(at, "fallback", *word)};
        if (auto nodes = read_nodes(at, made.nodes, false); !nodes) return nodes.failure();
        to.fallbacks.push_back(std::move(made));
        return {};
    }

    /// The parts of an earlier plan, all or those that cover some nodes.
    [[nodiscard]] outcome<void> read_kept(const json_place& at, plan_rules& to) const {
        if (at.find("backend")) return at.wrong("names a backend beside a plan, which says the back ends itself; leave one of them out");
        auto path = at.find("plan")->text();
        if (!path) return path.failure();
        std::vector<node_id> wanted;
        if (auto nodes = read_nodes(at, wanted, false); !nodes) return nodes.failure();
        const auto earlier = parts_at_(*path);
        if (!earlier) return at.wrong("names a plan that cannot be kept: " + earlier.failure().message);
        const auto has_any = [&](const part& p) {
            return std::any_of(p.nodes.begin(), p.nodes.end(),
                               [&](node_id n) { return std::binary_search(wanted.begin(), wanted.end(), n); });
        };
        std::vector<node_id> covered;
        for (std::size_t i = 0; i < earlier->parts.size(); ++i) {
            const part& p = earlier->parts[i];
            if (p.nodes.empty()) return at.wrong("names a plan whose part " + std::to_string(i) + " has no nodes; make it anew");
            if (!wanted.empty() && !has_any(p)) continue;
            covered.insert(covered.end(), p.nodes.begin(), p.nodes.end());
            plan_constraint made;
            made.rule = constraint_rule::keep;
            made.nodes = p.nodes;
            made.nodes.erase(std::unique(made.nodes.begin(), made.nodes.end()), made.nodes.end());
            made.backend = p.owner;
            made.text = text_of(at, "keep", kinds_[p.owner] + ", part " + std::to_string(i) + " of " + quoted_text(*path, 200));
            to.constraints.push_back(std::move(made));
        }
        std::sort(covered.begin(), covered.end());
        for (const node_id n : wanted)
            if (!std::binary_search(covered.begin(), covered.end(), n))
                return at.wrong("names " + quoted_text(name_of_node(model_, n)) + ", which is in no part of that plan");
        return {};
    }

    [[nodiscard]] outcome<void> read_nodes(const json_place& at, std::vector<node_id>& to, bool is_needed) const {
        auto names = constraint_texts_at(at, "nodes");
        if (!names) return names.failure();
        auto ops = constraint_texts_at(at, "ops");
        if (!ops) return ops.failure();
        for (const std::string& name : *names) {
            auto n = node_named(model_, name);
            if (!n) return at.wrong("names a node that there is not: " + n.failure().message);
            if (model_.kind(*n) != node_kind::call && model_.kind(*n) != node_kind::projection)
                return at.wrong("names " + quoted_text(name) +
                                ", which nobody has to compute; name nodes that `inlay show` lists as computed");
            to.push_back(*n);
        }
        for (const std::string& op : *ops) {
            const std::size_t before = to.size();
            for (const node_id n : calls_)
                if (model_.op(n) == op || model_.op(n) == "onnx." + op) to.push_back(n);
            if (to.size() == before) {
                std::vector<std::string> known;
                for (const node_id n : calls_) known.emplace_back(model_.op(n));
                return at.wrong("names operator " + quoted_text(op) + ", which the model has not" + name_hint(op, known));
            }
        }
        std::sort(to.begin(), to.end());
        to.erase(std::unique(to.begin(), to.end()), to.end());
        if (to.empty() && (is_needed || at.find("nodes") || at.find("ops"))) return at.wrong("must name nodes, or ops");
        return {};
    }

    const ir_module& model_;
    const std::vector<std::size_t>& chosen_;  // back ends that take part
    const plan_finder& parts_at_;
    std::vector<std::string> kinds_;
    std::vector<node_id> calls_;
};

}  // namespace detail

outcome<plan_rules> read_constraints(std::string_view text, const ir_module& m, backends_ref backends, const plan_finder& parts_at) {
    auto value = read_json(text);
    if (!value) return value.failure();
    const json_place root(*value);
    if (auto only = root.only({"version", "constraints"}); !only) return only.failure();
    auto version_at = root.member("version");
    if (!version_at) return version_at.failure();
    auto version = version_at->number();
    if (!version) return version.failure();
    if (*version != 1) return error{"it has version " + json_number(*version) + "; this program reads version 1"};
    auto list_at = root.member("constraints");
    if (!list_at) return list_at.failure();
    auto list = list_at->list();
    if (!list) return list.failure();
    const detail::constraint_reader reader(m, backends, parts_at);
    plan_rules made;
    for (const json_place& one : *list)
        if (auto read = reader.read(one, made); !read) return read.failure();
    return made;
}

}  // namespace inlay

#endif
