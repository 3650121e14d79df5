// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_PLACEMENT_HPP
#define INLAY_TARGET_PLACEMENT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/target/device.hpp>
#include <inlay/target/target_instance.hpp>

namespace inlay {

/// Where a value is, or is to be: a device type, the number of the device, the target that code for it is generated for, and a memory
/// scope. Each may be left open; what Relay calls a virtual device. It says what is wanted, not what hardware there is.
struct placement {
    static constexpr std::int32_t any_id = -1;

    std::optional<device_type> device;
    std::int32_t id = any_id;
    std::vector<target_instance> target;  // none or one, whose device type is `device`
    std::string scope;                    // of memory, as the target names it; empty: left open

    [[nodiscard]] static placement on(device_type device, std::int32_t id = 0) { return {device, id, {}, {}}; }
    [[nodiscard]] static placement on(target_instance target, std::int32_t id = 0, std::string scope = {}) {
        const device_type device = target.device;
        return {device, id, {std::move(target)}, std::move(scope)};
    }
    [[nodiscard]] static placement in_scope(std::string scope) { return {std::nullopt, any_id, {}, std::move(scope)}; }

    /// Whether nothing is said at all.
    [[nodiscard]] bool is_free() const { return !device && id == any_id && target.empty() && scope.empty(); }

    friend bool operator==(const placement&, const placement&) = default;
};

/// For people: `cuda:1 target='cuda -arch=sm_80' scope=shared`; `?` where nothing is said.
[[nodiscard]] inline std::string to_string(const placement& p) {
    if (p.is_free()) return "?";
    std::string text(p.device ? name_of(*p.device) : std::string_view("any device"));
    if (p.id != placement::any_id) text += ":" + std::to_string(p.id);
    if (!p.target.empty()) text += " target='" + target_text(without_host(p.target.front())) + "'";
    if (!p.scope.empty()) text += " scope=" + p.scope;
    return text;
}

}  // namespace inlay

#endif
