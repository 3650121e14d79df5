// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_CONFIGURATION_HPP
#define INLAY_TARGET_CONFIGURATION_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/target_instance.hpp>
#include <inlay/target/target_record.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// What a configuration is told beside its targets.
struct configuration_options {
    std::optional<device_type> default_device = {};  // rule D: where nodes go that nothing places
};

/// A list of targets made whole: checked, in canonical order, with missing plain targets supplied and one host for all. The single place
/// that decides these things. A value; making it anew from its own targets, with the same options, gives an equal one.
///
/// - *Uniqueness.* A kind stands once; a device type has one plain target. The plain side of a `-compiler=K` may equal another plain
/// target, and is
///   then that one. What refines names a plain target of its own device type.
/// - *Supply.* A device type that only refining targets have gets the plain target that the first of them names, with its defaults.
/// - *Order.* Plain targets first, then refining ones; each as the user wrote them, which is their priority.
/// - *Host.* A: that of the targets which have one; they agree. B: otherwise the plain target of the CPU. C: otherwise a fresh `llvm`, or
///   another plain target of the CPU that is known. It is a plain target of the CPU, and every target gets it.
/// - *Default device type.* D: the one asked for, which a target has. E: otherwise the only one there is. F: otherwise the CPU; where no
/// target
///   has that, the host joins the plain ones.
class configuration {
public:
    /// Quadratic in the number of targets, of which there are tens.
    [[nodiscard]] static outcome<configuration> make(std::vector<target_instance> list, const target_schemas& known,
                                                     const configuration_options& options = {}) {
        if (in_force<"target.configuration.empty">() && list.empty()) return error{"a configuration has at least one target; name one"};
        configuration c;
        c.targets_ = merged(std::move(list));
        if (auto whole = c.supply(known); !whole) return whole.failure();
        auto hosted = c.find_host(known);
        if (!hosted) return hosted.failure();
        if (auto placed = c.find_default_device(options); !placed) return placed.failure();
        const auto records = c.records();
        std::vector<target_instance> ordered(c.targets_.size());
        for (std::size_t i = 0; i < c.targets_.size(); ++i)
            ordered[canonical_place(records, i)] =
                in_force<"target.configuration.host-all">() ? with_host(c.targets_[i], c.host_) : c.targets_[i];
        c.targets_ = std::move(ordered);
        return c;
    }

    /// In canonical order, each with the host.
    [[nodiscard]] const std::vector<target_instance>& targets() const { return targets_; }
    [[nodiscard]] const target_instance& host() const { return host_; }
    [[nodiscard]] device_type default_device() const { return default_device_; }
    /// The only target, where there is just one.
    [[nodiscard]] const target_instance* only() const {
        return targets_.size() == 1 || !in_force<"target.configuration.only">() ? &targets_.front() : nullptr;
    }
    [[nodiscard]] const target_instance* of_kind(std::string_view kind) const {
        for (const target_instance& t : targets_)
            if (t.kind == kind) return &t;
        return nullptr;
    }
    /// What a device type alone stands for: its plain target, or nothing where no target has it.
    [[nodiscard]] const target_instance* least_specialised(device_type device) const {
        return at(in_force<"target.configuration.least">() ? plain_of(records(), device) : targets_.size() - 1);
    }
    /// What a part stands for that a kind claimed on a device type: the target of that kind, or the plain one where there is none.
    [[nodiscard]] const target_instance* most_specialised(std::string_view owner, device_type device) const {
        return at(owner_of(records(), owner, device));
    }

    friend bool operator==(const configuration&, const configuration&) = default;

private:
    configuration() = default;

    [[nodiscard]] const target_instance* at(std::size_t number) const { return number < targets_.size() ? &targets_[number] : nullptr; }
    [[nodiscard]] std::vector<target_record> records() const {
        std::vector<target_record> all;
        for (const target_instance& t : targets_) all.push_back({t.kind, t.device, t.refines});
        return all;
    }

    /// The list without the plain sides of `-compiler=K` that equal another plain target.
    [[nodiscard]] static std::vector<target_instance> merged(std::vector<target_instance> list) {
        std::vector<target_instance> all;
        for (target_instance& t : list) {
            target_instance* same = nullptr;
            for (target_instance& a : all)
                if (in_force<"target.configuration.compiler">() && a == t &&
                    (a.origin == target_origin::implied || t.origin == target_origin::implied))
                    same = &a;
            if (same == nullptr)
                all.push_back(std::move(t));
            else if (same->origin == target_origin::implied)
                same->origin = t.origin;
        }
        return all;
    }

    [[nodiscard]] error wrong(std::size_t number, const fault_of_target& fault) const {
        const target_instance &t = targets_[number], &other = targets_[fault.other];
        const std::string name = "target '" + t.kind + "'";
        switch (fault.what) {
            case list_fault::kind_twice:
                return error{name + " stands twice, as '" + target_text(other) + "' and as '" + target_text(t) + "'; name it once"};
            case list_fault::two_plain:
                return error{"'" + other.kind + "' and '" + t.kind + "' are both plain targets of device type " +
                             std::string(name_of(t.device)) + ", which has one; leave one out"};
            case list_fault::refines_refining:
                return error{name + " refines '" + t.refines + "', which refines another itself; it has to name a plain target"};
            case list_fault::refines_elsewhere:
                return error{name + " is of device type " + std::string(name_of(t.device)) + ", and '" + t.refines +
                             "', which it refines, is of another"};
            default:
                return error{name + " refines '" + t.refines + "', which nobody knows; add its schema to the known ones"};
        }
    }

    /// A processor that starts programs: a CPU, or Hexagon, as in TVM.
    [[nodiscard]] static bool can_host(device_type d) { return d == device_type::cpu || d == device_type::hexagon; }

    /// Checks the list, and adds the plain targets that it lacks.
    [[nodiscard]] outcome<void> supply(const target_schemas& known) {
        std::vector<target_record> known_records;
        for (const target_schema& s : known.all()) known_records.push_back(s.record());
        const std::vector<target_record> own = records();
        for (std::size_t i = 0; i < own.size(); ++i)
            if (const auto fault = fault_at(own, i, known_records);
                fault.what != list_fault::none &&
                (in_force<"target.configuration.refines">() || fault.what != list_fault::refines_elsewhere))
                return wrong(i, fault);
        const std::size_t count = targets_.size();
        for (std::size_t i = 0; i < count; ++i) {
            const device_type device = targets_[i].device;
            if (least_specialised(device) != nullptr) continue;
            target_instance plain = known.find(targets_[i].refines)->bare();
            plain.origin = target_origin::supplied;
            if (in_force<"target.configuration.supply">()) targets_.push_back(std::move(plain));
        }
        return {};
    }

    [[nodiscard]] outcome<void> find_host(const target_schemas& known) {
        const target_instance* first = nullptr;
        for (const target_instance& t : targets_) {
            if (t.host.empty()) continue;
            if (first == nullptr) first = &t;
            if (in_force<"target.configuration.host-conflict">() && without_host(t.host.front()) != without_host(first->host.front()))
                return error{"targets '" + first->kind + "' and '" + t.kind + "' have different hosts, '" +
                             target_text(without_host(first->host.front())) + "' and '" + target_text(without_host(t.host.front())) +
                             "'; a program has one, so give both the same or only one of them one"};
        }
        if (in_force<"target.configuration.host-given">() && first != nullptr) {
            host_ = without_host(first->host.front());
            if (!in_force<"target.configuration.host-cpu">() || (can_host(host_.device) && host_.is_plain())) return {};
            return error{"the host of target '" + first->kind + "' is '" + host_.kind +
                         "', and a host is a plain target of device type cpu or hexagon; name 'llvm' or 'c'"};
        }
        for (const target_instance& t : targets_) {
            const target_instance* plain = can_host(t.device) ? least_specialised(t.device) : nullptr;
            if (plain == nullptr || !in_force<"target.configuration.host-plain">()) continue;
            host_ = without_host(*plain);
            return {};
        }
        const target_schema* fresh = known.find(in_force<"target.configuration.host-fresh">() ? "llvm" : "c");
        for (const target_schema& s : known.all())
            if ((fresh == nullptr || !fresh->is_plain()) && s.is_plain() && s.device == device_type::cpu) fresh = &s;
        if (fresh == nullptr || !fresh->is_plain() || fresh->device != device_type::cpu)
            return error{
                "there is no target that can be the host: no plain target of device type cpu is known; add the schema of 'llvm' to the "
                "known ones"};
        host_ = fresh->bare();
        host_.origin = target_origin::supplied;
        return {};
    }

    [[nodiscard]] outcome<void> find_default_device(const configuration_options& options) {
        if (in_force<"target.configuration.default-asked">() && options.default_device) {
            default_device_ = *options.default_device;
            if (least_specialised(default_device_) != nullptr) return {};
            return error{"the default device type is to be " + std::string(name_of(default_device_)) +
                         ", which no target has; name a target of it"};
        }
        default_device_ =
            in_force<"target.configuration.default-only">() ? only_device(records()).value_or(device_type::cpu) : device_type::cpu;
        if (in_force<"target.configuration.default-cpu">() && least_specialised(default_device_) == nullptr) {
            targets_.push_back(host_);
            targets_.back().origin = target_origin::supplied;
        }
        return {};
    }

    std::vector<target_instance> targets_;
    target_instance host_;
    device_type default_device_ = device_type::cpu;
};

}  // namespace inlay

#endif
