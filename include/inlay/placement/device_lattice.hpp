// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_DEVICE_LATTICE_HPP
#define INLAY_PLACEMENT_DEVICE_LATTICE_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/placement/concepts.hpp>
#include <inlay/target/configuration.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// Placements as a lattice over the targets of a configuration. Components: device type, number of the device, target, memory scope. Of
/// targets an element says which are possible, so that an operator that only some targets have is a constraint like any other.
///
/// A placement without a target but with a device type stands for the least specialised target of that type. A target that the
/// configuration does not have is one more.
class device_lattice {
public:
    enum component : unsigned { device = 1, id = 2, target = 4, scope = 8 };
    static constexpr unsigned all = device | id | target | scope;
    static constexpr unsigned memory = scope;

    struct element {
        std::uint64_t targets = ~std::uint64_t{0};  // possible ones, as bits
        std::uint16_t device = 0;                   // 0: left open; else its number and 1
        std::uint16_t scope = 0;                    // 0: left open; else its number in the table and 1
        std::uint32_t id = 0;                       // 0: left open; else it and 1

        friend bool operator==(const element&, const element&) = default;
    };
    static constexpr std::size_t most_targets = 63;

    explicit device_lattice(const configuration& c) : configuration_(c) {
        add(c.host());
        for (const target_instance& t : c.targets()) add(t);
        host_ = {bit(0), number_of(c.host().device), 0, 1};
        const target_instance* plain = c.least_specialised(c.default_device());
        default_ = {bit(find(*plain)), number_of(c.default_device()), 0, 1};
        if (!in_force<"placement.default.nothing-said">()) default_ = host_;
    }

    /// The places that may be chosen for what nothing says: the first device of each target's type, with that target.
    [[nodiscard]] std::vector<element> choices() const {
        std::vector<element> some;
        for (const target_instance& t : configuration_.targets()) {
            const element e{bit(find(t)), number_of(t.device), 0, 1};
            if (std::find(some.begin(), some.end(), e) == some.end()) some.push_back(e);
        }
        if (some.empty()) some.push_back(default_);
        return some;
    }

    [[nodiscard]] element free() const { return {}; }
    [[nodiscard]] const element& host() const { return host_; }
    /// Where a program goes that says nothing.
    [[nodiscard]] const element& otherwise() const { return default_; }

    /// The element of a placement. Error: no target has its device type, or there are too many targets.
    [[nodiscard]] outcome<element> of(const placement& p) {
        if (&p == last_ && last_placement_ == p) return last_element_;
        element e;
        if (p.id != placement::any_id) e.id = static_cast<std::uint32_t>(p.id) + 1;
        if (in_force<"placement.lattice.scope">() && !p.scope.empty()) {
            auto at = std::find(scopes_.begin(), scopes_.end(), p.scope);
            if (at == scopes_.end()) {
                if (scopes_.size() > 60'000) return error{"the program names more than 60000 memory scopes"};
                at = scopes_.insert(scopes_.end(), p.scope);
            }
            e.scope = static_cast<std::uint16_t>(at - scopes_.begin() + 1);
        }
        if (!p.target.empty()) {
            const std::size_t t = add(p.target.front());
            if (t > most_targets) return error{"the program and its targets name more than 63 different targets"};
            e.targets = bit(t);
            e.device = number_of(p.target.front().device);
        } else if (p.device) {
            const target_instance* plain = configuration_.least_specialised(*p.device);
            if (plain == nullptr && !in_force<"placement.lattice.no-target">()) return e;
            if (plain == nullptr)
                return error{"a value is to be on a device of type " + std::string(name_of(*p.device)) +
                             ", and no target has that; name one with --target"};
            if (in_force<"placement.lattice.device-type">()) e.targets = bit(find(*plain));
            e.device = number_of(*p.device);
        }
        last_ = &p;
        last_placement_ = p;
        last_element_ = e;
        return e;
    }

    /// The placement that a whole element stands for.
    [[nodiscard]] placement placement_of(const element& e) const {
        placement p;
        if (e.device != 0) p.device = static_cast<device_type>(e.device - 1);
        if (e.id != 0) p.id = static_cast<std::int32_t>(e.id - 1);
        if (e.scope != 0) p.scope = scopes_[e.scope - 1u];
        const std::uint64_t possible = of_device(e);
        if (e.device != 0 && possible != 0) p.target.push_back(targets_[static_cast<std::size_t>(std::countr_zero(possible))]);
        return p;
    }
    /// The memory scope alone.
    [[nodiscard]] placement scope_of(const element& e) const {
        return e.scope == 0 ? placement() : placement::in_scope(scopes_[e.scope - 1u]);
    }

    /// Only the targets for which `can` holds, of those that are known so far.
    template <class Can>
    [[nodiscard]] element among(Can&& can) const {
        element e;
        e.targets = 0;
        for (std::size_t t = 0; t < targets_.size(); ++t)
            if (can(targets_[t])) e.targets |= bit(t);
        return e;
    }

    [[nodiscard]] unsigned clash(const element& a, const element& b) const {
        unsigned wrong = 0;
        if (a.device != 0 && b.device != 0 && a.device != b.device) wrong |= component::device;
        if (a.id != 0 && b.id != 0 && a.id != b.id) wrong |= component::id;
        if (a.scope != 0 && b.scope != 0 && a.scope != b.scope) wrong |= component::scope;
        element both = a;
        join(both, b, component::device | component::target);
        if (wrong == 0 && of_device(both) == 0) wrong |= component::target;
        return wrong;
    }
    void join(element& into, const element& from, unsigned components) const {
        if (in_force<"placement.lattice.join">() && (components & component::device) != 0 && into.device == 0) into.device = from.device;
        if ((components & component::id) != 0 && into.id == 0) into.id = from.id;
        if ((components & component::scope) != 0 && into.scope == 0) into.scope = from.scope;
        if ((components & component::target) != 0) into.targets &= from.targets;
    }
    /// The scope may stay open: it is then the device's main memory.
    [[nodiscard]] bool is_whole(const element& e) const { return e.device != 0 && e.id != 0 && std::has_single_bit(e.targets); }

    void fill(element& into, const element& from) const {
        if (into.device == 0) {
            const bool fits = from.device == 0 || of_device({into.targets, from.device, 0, 0}) != 0;
            if (fits)
                into.device = from.device;
            else if (const std::uint64_t possible = into.targets & known(); possible != 0)
                into.device = number_of(targets_[static_cast<std::size_t>(std::countr_zero(possible))].device);
        }
        if (in_force<"placement.lattice.fill">() && into.id == 0) into.id = from.id;
        if (into.scope == 0) into.scope = from.scope;
        if (into.device == 0 || std::has_single_bit(into.targets)) return;
        const std::uint64_t possible = of_device(into);
        if (from.device == into.device && std::has_single_bit(from.targets) && (possible & from.targets) != 0) {
            into.targets = from.targets;
        } else if (const target_instance* plain = configuration_.least_specialised(static_cast<device_type>(into.device - 1));
                   plain != nullptr && (possible & bit(find(*plain))) != 0) {
            into.targets = bit(find(*plain));
        } else if (possible != 0) {
            into.targets = possible & (~possible + 1);
        }
    }

    [[nodiscard]] std::string text(const element& e) const {
        if (e.device == 0 && (e.targets & known()) != known()) {
            std::string names;
            for (std::size_t t = 0; t < targets_.size(); ++t)
                if ((e.targets & bit(t)) != 0 && t != 0) names += (names.empty() ? "" : " or ") + targets_[t].kind;
            return names.empty() ? "no target" : names;
        }
        return to_string(placement_of(e));
    }

private:
    static constexpr std::uint64_t bit(std::size_t t) { return std::uint64_t{1} << t; }
    static constexpr std::uint16_t number_of(device_type d) { return static_cast<std::uint16_t>(static_cast<unsigned>(d) + 1); }

    [[nodiscard]] std::size_t find(const target_instance& t) const {
        const auto is_it = [&](const target_instance& other) {
            return in_force<"placement.lattice.targets-by-value">() ? other == t : other.kind == t.kind;
        };
        return static_cast<std::size_t>(std::find_if(targets_.begin(), targets_.end(), is_it) - targets_.begin());
    }
    std::size_t add(const target_instance& t) {
        const std::size_t at = find(t);
        if (at == targets_.size() && at <= most_targets) {
            targets_.push_back(t);
            const std::size_t d = number_of(t.device);
            if (by_device_.size() <= d) by_device_.resize(d + 1, 0);
            by_device_[d] |= bit(at);
        }
        return at;
    }
    [[nodiscard]] std::uint64_t known() const { return targets_.size() > most_targets ? ~std::uint64_t{0} : bit(targets_.size()) - 1; }
    /// The possible targets of the element's device type.
    [[nodiscard]] std::uint64_t of_device(const element& e) const {
        if (e.device == 0) return e.targets;
        return e.targets & (e.device < by_device_.size() ? by_device_[e.device] : 0);
    }

    const configuration& configuration_;
    std::vector<target_instance> targets_;  // the host first, then those of the configuration
    std::vector<std::uint64_t> by_device_;  // which of them a device type has
    std::vector<std::string> scopes_;
    element host_, default_;
    const placement* last_ = nullptr;
    placement last_placement_;
    element last_element_;
};

static_assert(lattice<device_lattice>);

}  // namespace inlay

#endif
