// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_REWRITE_HPP
#define INLAY_REWRITE_REWRITE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/pattern/term/pattern_depth.hpp>
#include <inlay/rewrite/instantiate.hpp>
#include <inlay/rewrite/rewrite_report.hpp>
#include <inlay/rewrite/rule.hpp>
#include <inlay/rewrite/rule_application.hpp>
#include <inlay/rewrite/rule_chase.hpp>
#include <inlay/rewrite/rule_index.hpp>
#include <inlay/rewrite/working_graph.hpp>

namespace inlay {

struct rewrite_options {
    type_rule infer = nullptr;          // the types of new nodes; none: unknown, and a change of type is not seen
    std::size_t fuel = 0;               // most rewrites; 0: 16 for each node, and 1024
    std::size_t most_nodes = 0;         // a program that has more is not rewritten on; 0: 16 for each node, and 65536
    std::size_t matches_per_root = 64;  // of one rule; the rest is not looked at
    bool reassociate = false;           // rules of the class `cancelling` are applied, too
    std::stop_token stop;
};

/// A graph rewritten, and how.
template <class G>
struct rewritten {
    G graph;
    rewrite_report report;
};

namespace detail {

/// Applies rules to one graph until none applies. A stack holds the nodes to visit: at first all nodes, with the results on top, so that
/// larger matches are found before smaller ones. A rewrite pushes only the nodes whose matches it may have changed.
template <rewritable_graph G, class Judge>
class rewriter {
public:
    using graph_type = working_graph<G>;
    using row = rule_row<graph_type>;

    rewriter(const G& g, std::span<const row> rules, const rewrite_options& options, Judge& judge)
        : w_(g), rules_(rules), options_(options), judge_(judge), index_(rules), matcher_(w_, w_.users()), notes_(g.size()) {
        fuel_ = options.fuel != 0 ? options.fuel : 16 * g.size() + 1024;
        most_nodes_ = options.most_nodes != 0 ? options.most_nodes : 16 * g.size() + 65536;
        alive_ = g.size();
        for (std::size_t r = 0; r < rules.size(); ++r) {
            report_.rules.push_back({std::string(rules[r].name), rules[r].kind, 0, 0, 0, {}, {}});
            depth_ = std::max(depth_, pattern_depth(*rules[r].left));
        }
        chase_ = rule_chase(rules.size(), fuel_ / 2);
    }

    rewritten<G> run() {
        for (node_id n = w_.first(); n != no_node; n = w_.after(n)) wait(n);
        while (!stack_.empty()) {
            const node_id n = stack_.back();
            stack_.pop_back();
            notes_[n].waits = false;
            if (!w_.is_alive(n)) continue;
            if ((++report_.visited & 255u) == 0 && options_.stop.stop_requested()) {
                report_.why = rewrite_report::stop::stopped;
                break;
            }
            if (!visit(n)) {
                if (alive_ > most_nodes_) {
                    report_.why = rewrite_report::stop::too_large;
                    report_.nodes = alive_;
                    report_.growing = most_growing();
                    break;
                }
                report_.why = rewrite_report::stop::out_of_fuel;
                if (in_force<"rewrite.chase">()) report_.chasing = chase_.ring();
                break;
            }
        }
        return {w_.finish(), std::move(report_)};
    }

private:
    static constexpr std::uint32_t no_rule = 0xFFFF'FFFFu;

    /// Per node: the rule that made it, the last upward walk that visited it, and whether it is on the stack.
    struct note {
        std::uint32_t maker = no_rule, rise = 0;
        bool waits = false;
    };

    void wait(node_id n) {
        if (notes_[n].waits) return;
        notes_[n].waits = true;
        stack_.push_back(n);
    }

    /// Tries the rules at a node until one fires. False: the fuel is used up.
    bool visit(node_id n) {
        const bool any = index_.each(w_, n, [&](std::size_t r) {
            std::size_t seen = 0;
            bool fired = false;
            rewrite_report::line& line = report_.rules[r];
            matcher_.each(*rules_[r].left, n, [&](const found_match& found) {
                ++line.matches;
                fired = apply(static_cast<std::uint32_t>(r), found);
                return fired || ++seen >= options_.matches_per_root;
            });
            line.fired += fired ? 1 : 0;
            return fired;
        });
        return !any || (++report_.fired < fuel_ && alive_ <= most_nodes_);
    }

    /// The rule whose rewrites have added the most nodes, those that died taken off.
    [[nodiscard]] std::size_t most_growing() const {
        std::size_t most = 0;
        for (std::size_t r = 1; r < report_.rules.size(); ++r)
            if (report_.rules[r].grown > report_.rules[most].grown) most = r;
        return most;
    }

    bool refuse(std::uint32_t rule, rule_refusal why, std::string reason = {}) {
        rewrite_report::line& line = report_.rules[rule];
        ++line.refused[static_cast<std::size_t>(why)];
        if (!reason.empty()) line.last_reason = std::move(reason);
        return false;
    }

    bool apply(std::uint32_t r, const found_match& found) {
        const row& rule = rules_[r];
        if (in_force<"rewrite.class">() && rule.kind == exactness::cancelling && !options_.reassociate)
            return refuse(r, rule_refusal::cancels);
        inner_.assign(found.covered.begin(), found.covered.end());
        sort_unique(inner_);
        for (const node_id n : inner_)
            if (in_force<"rewrite.blocks">() && w_.block(n) != w_.block(found.root)) return refuse(r, rule_refusal::crosses_blocks);
        // A constant is where each of its readers has it.
        for (const node_id n : inner_)
            if (w_.kind(n) != node_kind::constant && w_.where_number(n) != w_.where_number(found.root))
                return refuse(r, rule_refusal::crosses_places);
        if (rule.when != nullptr)
            if (verdict v = rule.when(rule.self, w_, found.root, found.bound); !v.taken)
                return refuse(r, rule_refusal::condition, std::move(v.reason));
        fragment<graph_type> f(w_, options_.infer);
        const node_id now = rule.right != nullptr
                                ? instantiation(*rule.left, *rule.right, f, found.root, found.bound).build(rule.right->root)
                                : rule.make(rule.self, w_, found.root, found.bound, f);
        const auto back = [&](rule_refusal why, std::string reason = {}) {
            f.forget();
            return refuse(r, why, std::move(reason));
        };
        if (f.has_failed()) return back(rule_refusal::no_type, f.reason());
        if (now == no_node) return back(rule_refusal::condition);
        if (in_force<"rewrite.overlap">() && rule.policy != overlap::duplicate && loses_shared(f, found.root, now))
            return back(rule_refusal::shared);
        if (const auto why = unfit(f, found.root, now)) return back(*why);
        replacements_.assign(1, {found.root, now});
        replacements_.insert(replacements_.end(), f.extra().begin(), f.extra().end());
        if (auto right = judge_(rule_application<graph_type>{&w_, rule.name, rule.kind, inner_, f.from(), replacements_});
            !right && in_force<"rewrite.judge">())
            return back(rule_refusal::wrong, std::move(right.failure().message));
        commit(r, f, found.root, now);
        return true;
    }

    /// Whether nodes outside the match read an inner node that the replacement neither reads nor replaces.
    bool loses_shared(const fragment<graph_type>& f, node_id root, node_id now) {
        bool any = false;
        for (const node_id n : inner_) any = any || (n != root && is_read_outside(n, f.from()));
        if (!any) return false;
        kept_.clear();
        const auto keep = [&](node_id n) {
            if (n < f.from() && is_inner(n) && !has_item(kept_, n)) kept_.push_back(n);
        };
        keep(now);
        for (node_id n = f.from(); n < w_.size(); ++n)
            for (std::size_t i = 0; i < w_.arity(n); ++i) keep(w_.operand(n, i));
        for (std::size_t k = 0; k < kept_.size(); ++k)
            for (std::size_t i = 0; i < w_.arity(kept_[k]); ++i) keep(w_.operand(kept_[k], i));
        for (const auto& e : f.extra()) kept_.push_back(e.first);
        for (const node_id n : inner_)
            if (n != root && is_read_outside(n, f.from()) && !has_item(kept_, n)) return true;
        return false;
    }
    [[nodiscard]] bool is_inner(node_id n) const { return sorted_has(inner_, n); }
    /// Whether a node that is neither in the match nor new reads a node.
    [[nodiscard]] bool is_read_outside(node_id n, node_id made) const {
        if (w_.users().is_kept(n)) return true;
        for (const node_id u : w_.users()[n])
            if (u < made && !is_inner(u)) return true;
        return false;
    }

    /// Why a replacement is refused; nothing where it is accepted.
    std::optional<rule_refusal> unfit(const fragment<graph_type>& f, node_id root, node_id now) {
        if (now == root) return rule_refusal::no_change;
        if (!same_type(root, now) && in_force<"rewrite.type-change">()) return rule_refusal::type_change;
        if (in_force<"rewrite.no-change">() && is_same_call(root, now, f.from())) return rule_refusal::no_change;
        if (now < f.from() && !dominates_block(now, root)) return rule_refusal::crosses_blocks;
        place_ = root;
        for (const auto& [old, other] : f.extra()) {
            if (!same_type(old, other)) return rule_refusal::type_change;
            if (w_.block(old) != w_.block(root)) return rule_refusal::crosses_blocks;
            for (const node_id u : w_.users()[old]) {
                if (u >= f.from() || is_inner(u)) continue;
                if (w_.block(u) != w_.block(root)) return rule_refusal::crosses_blocks;
                if (w_.rank(u) < w_.rank(place_)) place_ = u;
            }
        }
        // The operands of the new nodes must precede them.
        bool reads_root = false;
        for (node_id n = f.from(); n < w_.size(); ++n)
            for (std::size_t i = 0; i < w_.arity(n); ++i) {
                const node_id o = w_.operand(n, i);
                if (o >= f.from()) continue;
                if (o == root) {
                    reads_root = true;
                    continue;
                }
                if (!w_.is_alive(o) || (in_force<"rewrite.order">() && w_.rank(o) >= w_.rank(place_))) return rule_refusal::order;
                if (!dominates_block(o, root)) return rule_refusal::crosses_blocks;
            }
        if (reads_root && place_ != root) return rule_refusal::order;
        if (reads_root) place_ = w_.after(root);
        if (now < f.from() && w_.rank(now) >= w_.rank(root)) return rule_refusal::order;
        return std::nullopt;
    }
    /// An unknown type is copied from the replaced node, and is no difference.
    bool same_type(node_id old, node_id now) {
        const node_type& before = w_.type(old);
        const node_type& after = w_.type(now);
        if (before.kind == node_type::form::unknown) return true;
        if (after.kind == node_type::form::unknown) {
            if (!w_.is_original(now)) w_.set_type_like(now, old);
            return true;
        }
        return &before == &after || before == after;
    }
    /// Whether the replacement is one call that equals the root.
    [[nodiscard]] bool is_same_call(node_id root, node_id now, node_id from) const {
        if (now < from || w_.kind(now) != w_.kind(root) || w_.kind(now) != node_kind::call || w_.op(now) != w_.op(root) ||
            w_.arity(now) != w_.arity(root))
            return false;
        for (std::size_t i = 0; i < w_.arity(now); ++i) {
            const node_id a = w_.operand(now, i), b = w_.operand(root, i);
            const tensor *x = w_.constant(a), *y = w_.constant(b);
            if (a != b && (x == nullptr || y == nullptr || x->type() != y->type() || x->content() != y->content())) return false;
        }
        return w_.attributes(now) == w_.attributes(root);
    }
    /// Whether a node of n's block is visible in the root's block.
    [[nodiscard]] bool dominates_block(node_id n, node_id root) const {
        if (w_.block(n) == w_.block(root) || w_.block(n) == 0) return true;
        // A node that the root's side reads already can be read there.
        for (const node_id c : inner_)
            for (std::size_t i = 0; i < w_.arity(c); ++i)
                if (w_.operand(c, i) == n) return true;
        return false;
    }

    void commit(std::uint32_t r, const fragment<graph_type>& f, node_id root, node_id now) {
        const node_id from = f.from();
        w_.place(from, place_, w_.block(root));
        for (node_id n = from; n < w_.size(); ++n) w_.set_where_like(n, root);
        while (notes_.size() < w_.size()) notes_.push_back({.maker = r});
        for (const node_id n : inner_) chase_.note(notes_[n].maker, r, report_.fired);
        if (now >= from) {
            w_.set_name_like(now, root);
            for (const node_id n : inner_) w_.add_origins_of(now, n);
        }
        std::ptrdiff_t grown = static_cast<std::ptrdiff_t>(w_.size() - from);
        const auto died = [&](node_id dead) {
            --grown;
            for (std::size_t i = 0; i < w_.arity(dead); ++i) loosened_.push_back(w_.operand(dead, i));
        };
        loosened_.clear();
        for (const auto& [old, other] : f.extra()) {
            changes(old, other);
            w_.replace(old, other, from, died);
        }
        changes(root, now);
        w_.replace(root, now, from, died);
        // A node that existed before keeps its name, and gets the names of the removed nodes as origins.
        if (now < from)
            for (const node_id n : inner_)
                if (!w_.is_alive(n)) w_.add_origins_of(now, n);
        // A function may have made more than it used.
        for (auto n = static_cast<node_id>(w_.size()); n-- > from;) w_.bury(n, died);
        report_.rules[r].grown += grown;
        alive_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(alive_) + grown);
        for (node_id n = from; n < w_.size(); ++n)
            if (w_.is_alive(n)) wait(n);
        // A root that its replacement reads stays alive.
        if (w_.is_alive(root)) wait(root);
        // A node that has one user left may match together with that user now.
        for (const node_id n : loosened_)
            if (w_.is_alive(n)) {
                wait(n);
                if (w_.users().is_read_once(n)) wait_upwards(n);
            }
    }
    /// The users of a replaced node may match with the replacement. Earlier users of the replacement are unchanged, and are not visited
    /// again.
    void changes(node_id old, node_id now) {
        wait(now);
        wait_upwards(old);
    }
    /// Lets all wait that a pattern's root may be in whose match holds n: what reads it, in as many steps as the deepest pattern has less
    /// one.
    void wait_upwards(node_id n) {
        if (++rise_ == 0) {
            for (note& one : notes_) one.rise = 0;
            rise_ = 1;
        }
        level_.clear();
        level_.push_back(n);
        for (std::size_t d = 1, from = 0; d < depth_ && from < level_.size(); ++d)
            for (const std::size_t end = level_.size(); from < end; ++from)
                for (const node_id u : w_.users()[level_[from]]) {
                    if (notes_[u].rise == rise_) continue;
                    notes_[u].rise = rise_;
                    wait(u);
                    level_.push_back(u);
                }
    }

    graph_type w_;
    std::span<const row> rules_;
    const rewrite_options& options_;
    Judge& judge_;
    rule_index<graph_type> index_;
    matcher<graph_type, no_trace, use_lists> matcher_;
    std::vector<note> notes_;
    std::uint32_t rise_ = 0;
    std::vector<node_id> stack_, inner_, kept_, loosened_, level_;
    std::vector<std::pair<node_id, node_id>> replacements_;
    std::size_t depth_ = 0, fuel_ = 0, most_nodes_ = 0, alive_ = 0;
    node_id place_ = no_node;
    rule_chase chase_{0, 0};
    rewrite_report report_;
};

}  // namespace detail

/// Applies rules, the first of the list first, until none applies, the fuel is used up or the program has too many nodes. Each application
/// is atomic; the given graph is not changed. Matches do not cross blocks. `judge` is asked before each application, which it refuses by an
/// error. Linear in the nodes and in the rewrites, times the matching at each.
template <rewritable_graph G, class Judge = const every_application>
[[nodiscard]] rewritten<G> rewrite(const G& g, std::span<const rule_row<working_graph<G>>> rules, const rewrite_options& options = {},
                                   Judge&& judge = {}) {
    return detail::rewriter<G, std::remove_reference_t<Judge>>(g, rules, options, judge).run();
}
template <rewritable_graph G, class... Rules>
[[nodiscard]] rewritten<G> rewrite(const G& g, rule_book<Rules...> book, const rewrite_options& options = {}) {
    return rewrite(g, book.template all_rows<working_graph<G>>(), options);
}

}  // namespace inlay

#endif
