// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLACEMENT_OF_HPP
#define INLAY_PLAN_PLACEMENT_OF_HPP

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/list/backends_ref.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/target/configuration.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

namespace detail {

/// Builds a program in its places, with copies where these change.
class placed_program_builder {
public:
    placed_program_builder(const ir_module& m, const plan& p, backends_ref backends, const configuration& c)
        : m_(m), device_of_(m.size(), device_type::cpu), made_(m.size(), no_node) {
        for (const part& each : p.cut.parts)
            for (const node_id n : each.nodes) device_of_[n] = backends.device(each.owner);
        for (std::size_t d = 0; d < detail::device_names.size(); ++d)
            if (const target_instance* plain = c.least_specialised(static_cast<device_type>(d))) {
                const auto number = p.devices.find(static_cast<device_type>(d));
                places_[d] = placement::on(*plain, number == p.devices.end() ? 0 : number->second);
            }
        if (placement& cpu = places_[static_cast<std::size_t>(device_type::cpu)]; cpu.is_free()) cpu = placement::on(c.host());
    }

    [[nodiscard]] outcome<ir_module> build() {
        for (const device_type d : device_of_)
            if (place(d).is_free())
                return error{"the plan runs nodes on a device of type " + std::string(name_of(d)) +
                             ", and no target has that; give the configuration with which the plan was made"};
        builder_.copy_from(m_);
        std::vector<node_id> operands;
        for (node_id n = 0; n < m_.size(); ++n) {
            operands.clear();
            for (std::size_t i = 0; i < m_.arity(n); ++i) operands.push_back(operand(m_.operand(n, i), device_of_[n]));
            made_[n] = builder_.copy(m_, n, operands);
            builder_.set_where(made_[n], place(device_of_[n]));
        }
        for (const node_id f : m_.functions()) builder_.declare(made_[f]);
        builder_.name_results(m_.result_names());
        return builder_.finish_in_blocks();
    }

private:
    [[nodiscard]] const placement& place(device_type d) const { return places_[static_cast<std::size_t>(d)]; }
    /// Kernels keep their constants, so that each device has its own.
    [[nodiscard]] bool is_kept_by_readers(node_id n) const {
        return m_.kind(n) == node_kind::constant || (m_.kind(n) == node_kind::tuple && m_.arity(n) == 0);
    }
    [[nodiscard]] node_id operand(node_id n, device_type there) {
        if (device_of_[n] == there) return made_[n];
        const auto [at, is_new] = elsewhere_.try_emplace({n, there}, no_node);
        if (!is_new) return at->second;
        if (is_kept_by_readers(n)) {
            at->second = builder_.copy(m_, n, {});
            builder_.set_where(at->second, place(there));
        } else {
            at->second = builder_.device_copy(made_[n], place(device_of_[n]), place(there));
        }
        return at->second;
    }

    const ir_module& m_;
    ir_builder builder_;
    std::vector<device_type> device_of_;
    std::array<placement, detail::device_names.size()> places_;
    std::vector<node_id> made_;
    std::map<std::pair<node_id, device_type>, node_id> elsewhere_;
};

}  // namespace detail

/// The program that a plan is for with each value in its place: nodes on the device type of their part's owner, by its plain target, what
/// comes in and goes out on the CPU, and a `device_copy` where a value changes its device, once for all its readers there. Planning devices
/// over the same configuration changes nothing about it. The module is the one that the plan speaks of; the error names a device type of
/// which the configuration has no target.
[[nodiscard]] inline outcome<ir_module> placement_of(const ir_module& m, const plan& p, backends_ref backends, const configuration& c) {
    return detail::placed_program_builder(m, p, backends, c).build();
}

}  // namespace inlay

#endif
