// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CODEGEN_DEVICE_TOYS_HPP
#define INLAY_TESTS_CODEGEN_DEVICE_TOYS_HPP

#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "../candidate/toy_backends.hpp"

#include <inlay/codegen/kernel/device_memory.hpp>

namespace device_toys {

using namespace inlay;

inline constexpr memory_scope cpu_main, device_main{device_type::ext_dev, 0}, device_near{device_type::ext_dev, 1};

using host = toys::rows;

struct toy_copy {
    std::size_t bytes;
    bool run(const run_arguments& a) const {
        if (bytes != 0) std::memcpy(a.results[0], a.inputs[0], bytes);
        return true;
    }
};

/// A device with two memories, which anybody may follow the addresses of: `near` is reached from its main one alone. A copy takes a second,
/// and a thousandth for each byte.
struct apart {
    static constexpr std::string_view kind = "apart", refines = "ext_dev";
    static constexpr device_type device = device_type::ext_dev;
    int size = 1 << 20;
    bool is_near = false;  // where its tensors stand
    using options = option_list<option<"size", &apart::size, "bytes of a memory">, option<"near", &apart::is_near, "where tensors stand">>;
    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() { return toys::rows::patterns(); }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        border_formats made = plain_borders(r);
        for (std::vector<format>* side : {&made.inputs, &made.results})
            for (format& f : *side) f.scope = is_near ? device_near : device_main;
        return {made};
    }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 0.125; }
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const { return toys::elementwise_kernel(r); }

    [[nodiscard]] std::vector<owned_memory> memories() const { return {{device_main, "global"}, {device_near, "near"}}; }
    [[nodiscard]] outcome<device_block> allocate(memory_scope, std::size_t bytes) const {
        if (bytes > static_cast<std::size_t>(size)) return error{"the toy has " + std::to_string(size) + " bytes"};
        void* block = ::operator new (bytes, std::align_val_t{64});
        return device_block(block, bytes, [](void* at, std::size_t) { ::operator delete (at, std::align_val_t{64}); });
    }
    [[nodiscard]] std::optional<double> copy_seconds(memory_scope from, memory_scope to, std::size_t bytes) const {
        const auto joins = [&](memory_scope a, memory_scope b) { return (from == a && to == b) || (from == b && to == a); };
        if (!joins(cpu_main, device_main) && !joins(device_main, device_near)) return std::nullopt;
        return 1 + 0.001 * static_cast<double>(bytes);
    }
    [[nodiscard]] outcome<kernel> emit_copy(memory_scope, memory_scope, std::size_t bytes) const { return kernel(toy_copy{bytes}); }
};

/// Another one, which knows the CPU alone.
struct second : apart {
    static constexpr std::string_view kind = "second";
    static constexpr memory_scope own{device_type::cuda, 0};
    std::vector<owned_memory> memories() const { return {{own, {}}}; }
    std::optional<double> copy_seconds(memory_scope from, memory_scope to, std::size_t) const {
        return (from == own && to == cpu_main) || (from == cpu_main && to == own) ? std::optional(2.0) : std::nullopt;
    }
};

struct played : apart {
    static constexpr std::string_view kind = "played";
    static constexpr bool is_simulated = true;
};

}  // namespace device_toys

#endif
