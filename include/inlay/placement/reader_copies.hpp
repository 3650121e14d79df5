// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_READER_COPIES_HPP
#define INLAY_PLACEMENT_READER_COPIES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/placement/annotated_program.hpp>

namespace inlay {

/// Which readers get a copy of what they read because it is also read in another place.
template <lattice L>
class reader_copies {
public:
    struct copy {
        typename L::element from, to;
    };

    void add(node_id reader, std::size_t operand, const copy& c) { copies_.emplace(key(reader, operand), c); }
    [[nodiscard]] const copy* find(node_id reader, std::size_t operand) const {
        if (copies_.empty()) return nullptr;
        const auto at = copies_.find(key(reader, operand));
        return at == copies_.end() ? nullptr : &at->second;
    }
    [[nodiscard]] std::size_t size() const { return copies_.size(); }

private:
    static std::uint64_t key(node_id reader, std::size_t operand) { return (std::uint64_t{reader} << 32) | operand; }

    std::unordered_map<std::uint64_t, copy> copies_;
};

namespace detail {

/// When each node is first come to where callers go before what they read, operands in order: from 1; 0 for what is not reached. Linear.
template <class P>
[[nodiscard]] std::vector<std::uint32_t> times_from_results(const P& p) {
    const auto& g = p.graph();
    std::vector<std::uint32_t> time(g.size(), 0);
    std::vector<node_id> open;
    std::uint32_t now = 0;
    for (const node_id f : g.functions()) {
        open.push_back(f);
        while (!open.empty()) {
            const node_id n = open.back();
            open.pop_back();
            if (time[n] != 0 || !p.active(n)) continue;
            time[n] = ++now;
            if (p.role_of(n) != function_role::planned) continue;
            for (std::size_t i = g.arity(n); i-- > 0;) open.push_back(g.operand(n, i));
        }
    }
    return time;
}

/// Finds them. What a value's readers ask for comes from annotations around them, through calls of operators and functions, in the order in
/// which callers come before what they read.
template <class G, class L>
class conflict_finder {
public:
    using program = annotated_program<G, L>;
    using element = typename L::element;

    explicit conflict_finder(const program& p)
        : p_(p), g_(p.graph()), l_(p.places()), value_of_(g_.size(), no_node), wanted_(g_.size(), l_.free()), clashes_(g_.size(), 0) {
        for (node_id n = 0; n < g_.size(); ++n)
            if (g_.kind(n) == node_kind::let) value_of_[g_.operand(n, 0)] = g_.operand(n, 1);
    }

    [[nodiscard]] reader_copies<L> find() {
        reader_copies<L> copies;
        if (!p_.is_annotated() || !in_force<"placement.conflict.first-stays">() || !in_force<"placement.conflict.two-users">() ||
            !any_clash())
            return copies;
        // Somebody is to be told first, so the order of readers counts.
        const std::vector<std::uint32_t> time = times_from_results(p_);
        wanted_.assign(g_.size(), l_.free());
        clashes_.assign(g_.size(), 0);
        std::vector<std::vector<read>> readers(g_.size());
        for (node_id n = static_cast<node_id>(g_.size()); n-- > 0;) {
            if (!p_.active(n)) continue;
            settle(n, readers[n]);
            each_read(n, [&](std::size_t i, const element& e) {
                readers[g_.operand(n, i)].push_back({time[n], n, static_cast<std::uint32_t>(i), e});
            });
        }
        for (node_id n = 0; n < g_.size(); ++n) {
            // Functions cannot be copied.
            if (!in_force<"placement.conflict.rebuilt-argument">() && copies.size() != 0) continue;
            if (clashes_[n] == 0 || g_.type(n).is_function() || p_.border_of(n) != program::border::none || p_.is_device_copy(n)) continue;
            for (const read& r : readers[n])
                if (r.wanted == l_.free() ? !in_force<"placement.conflict.open-reader">() : l_.clash(wanted_[n], r.wanted) != 0)
                    copies.add(r.reader, r.operand, {wanted_[n], r.wanted});
        }
        return copies;
    }

private:
    struct read {
        std::uint32_t time;
        node_id reader;
        std::uint32_t operand;
        element wanted;
    };

    /// What node n is wanted as: what its first readers say, and what later ones add without contradiction.
    void settle(node_id n, std::vector<read>& readers) {
        std::sort(readers.begin(), readers.end(),
                  [](const read& a, const read& b) { return a.time != b.time ? a.time < b.time : a.operand < b.operand; });
        for (const read& r : readers) want(n, r.wanted);
    }
    bool want(node_id n, const element& e) {
        if (l_.clash(wanted_[n], e) == 0) {
            l_.join(wanted_[n], e, L::all);
            return true;
        }
        clashes_[n] = 1;
        return false;
    }
    bool any_clash() {
        bool any = false;
        for (node_id n = static_cast<node_id>(g_.size()); n-- > 0;)
            if (p_.active(n)) each_read(n, [&](std::size_t i, const element& e) { any = !want(g_.operand(n, i), e) || any; });
        return any;
    }

    /// Calls `f` with each operand of node n that n wants somewhere.
    template <class F>
    void each_read(node_id n, F&& f) {
        const node_kind kind = g_.kind(n);
        if (kind == node_kind::apply) {
            if (callee_is_placed(g_.operand(n, 0))) return;
            for (std::size_t i = 1; i < g_.arity(n); ++i)
                if (!g_.type(g_.operand(n, i)).is_function()) f(i, wanted_[n]);
            return;
        }
        if (kind != node_kind::call) return;
        switch (p_.rule(n).what) {
            case call_rule::form::on_device:
                if (in_force<"placement.conflict.called-literal">() && p_.constrains_body(n)) f(0, p_.named_place(n));
                return;
            case call_rule::form::device_copy:
                f(0, p_.copied_from(n));
                return;
            case call_rule::form::lowered_call:
                return;
            case call_rule::form::op:
                for (std::size_t i = 0; i < g_.arity(n); ++i)
                    if (p_.rule(n).of(i) == operand_place::with_call) f(i, wanted_[n]);
        }
    }
    /// Whether arguments need not be where the call is: the source says where the parameters of what is called are, or what is called is
    /// known only when the program runs.
    [[nodiscard]] bool callee_is_placed(node_id callee) const {
        node_id f = callee;
        if (g_.kind(f) == node_kind::input && value_of_[f] != no_node) f = value_of_[f];
        if (g_.kind(f) == node_kind::global) f = p_.function_named(g_.symbol(f));
        if (f == no_node || g_.kind(f) != node_kind::function) return true;
        for (std::size_t i = 0; i + 1 < g_.arity(f); ++i)
            if (p_.given(g_.operand(f, i)) != nullptr) return true;
        return false;
    }

    const program& p_;
    const G& g_;
    const L& l_;
    std::vector<node_id> value_of_;  // of a let's variable
    std::vector<element> wanted_;
    std::vector<char> clashes_;
};

}  // namespace detail

}  // namespace inlay

#endif
