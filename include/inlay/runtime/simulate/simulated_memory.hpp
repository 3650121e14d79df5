// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_SIMULATED_MEMORY_HPP
#define INLAY_RUNTIME_SIMULATE_SIMULATED_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/target/device.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// A memory of its own: what a kind of device has under the name of a scope. The empty scope is the device's main memory.
struct simulated_memory {
    device_type device = device_type::cpu;
    std::string scope;

    friend bool operator==(const simulated_memory&, const simulated_memory&) = default;
};

/// The number of a memory in a table.
using memory_id = std::uint32_t;

/// What stands for a memory where there is none.
inline constexpr memory_id in_no_memory = 0xFFFF'FFFFu;         // nothing is anywhere, or nothing is asked
inline constexpr memory_id in_several_memories = 0xFFFF'FFFEu;  // parts are in different ones
inline constexpr memory_id in_callers_memory = 0xFFFF'FFFDu;    // where the function that runs was called

/// The memories that a program uses, each once. The host's, which is the main memory of the CPU, is number 0.
class memory_table {
public:
    static constexpr memory_id host = 0;

    /// The memory of a place, which is added where it is new. Of a place that leaves the device type open the CPU's is taken.
    [[nodiscard]] memory_id of(const placement& p) {
        simulated_memory wanted{p.device.value_or(device_type::cpu), p.scope};
        // Programs use few memories.
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i] == wanted) return static_cast<memory_id>(i);
        all_.push_back(std::move(wanted));
        return static_cast<memory_id>(all_.size() - 1);
    }
    [[nodiscard]] std::size_t size() const { return all_.size(); }

    /// For people: `the memory of cuda`, `the memory 'near' of cpu`.
    [[nodiscard]] std::string name(memory_id m) const {
        if (m == in_several_memories) return "several memories";
        if (m == in_callers_memory) return "the memory of the caller";
        if (m >= all_.size()) return "no memory";
        const simulated_memory& one = all_[m];
        return "the memory " + (one.scope.empty() ? std::string() : "'" + one.scope + "' ") + "of " + std::string(name_of(one.device));
    }

private:
    std::vector<simulated_memory> all_ = {simulated_memory()};
};

}  // namespace inlay

#endif
