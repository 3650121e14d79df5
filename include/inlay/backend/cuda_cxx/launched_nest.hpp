// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_LAUNCHED_NEST_HPP
#define INLAY_BACKEND_CUDA_CXX_LAUNCHED_NEST_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/backend/cuda/cuda_module.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/cuda_text.hpp>

namespace inlay::detail {

/// Where a kernel's argument comes from at a run.
struct launch_argument {
    enum class from : std::uint8_t { input, result, constant, workspace };

    from source = from::input;
    std::size_t at = 0;  // its number, or bytes behind the workspace's first
};

/// One launch, with all that the driver is told.
struct ready_launch {
    void* function = nullptr;
    std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
    unsigned shared_bytes = 0;
    std::vector<launch_argument> arguments;
};

/// The launches of a nest as data, without the driver's functions. `constants`: how many inputs of the nest, the last ones, are constants.
[[nodiscard]] inline std::vector<ready_launch> ready_launches(const loop_nest& n, const cuda_text& text, std::size_t constants) {
    std::vector<std::size_t> number(n.buffers.size(), 0);
    std::size_t inputs = 0, results = 0;
    for (buffer_id b = 0; b < n.buffers.size(); ++b) {
        if (n.buffers[b].scope == buffer_scope::input) number[b] = inputs++;
        if (n.buffers[b].scope == buffer_scope::output) number[b] = results++;
    }
    std::vector<ready_launch> made;
    for (const cuda_kernel& k : text.kernels) {
        ready_launch one;
        for (std::size_t i = 0; i < 3; ++i) {
            one.grid[i] = static_cast<unsigned>(k.grid[i]);
            one.block[i] = static_cast<unsigned>(k.block[i]);
        }
        one.shared_bytes = static_cast<unsigned>(k.shared_bytes);
        for (const cuda_argument& a : k.arguments) {
            using from = launch_argument::from;
            const std::size_t at = number[a.buffer];
            if (a.workspace)
                one.arguments.push_back({from::workspace, *a.workspace});
            else if (n.buffers[a.buffer].scope == buffer_scope::output)
                one.arguments.push_back({from::result, at});
            else if (at >= inputs - constants)
                one.arguments.push_back({from::constant, at - (inputs - constants)});
            else
                one.arguments.push_back({from::input, at});
        }
        made.push_back(std::move(one));
    }
    return made;
}

/// The kernel of a region's nest: its launches one behind the other on the device's stream, with constants that stand in the device's
/// memory from the beginning. Addresses that it gets are the device's.
class launched_nest : public started_on_cuda<launched_nest> {
public:
    [[nodiscard]] static outcome<kernel> make(const cuda_module& code, const region_nest& n, const cuda_text& text) {
        launched_nest made(code);
        made.launches_ = ready_launches(n.loops, text, n.constants.size());
        for (std::size_t i = 0; i < made.launches_.size(); ++i) {
            ready_launch& one = made.launches_[i];
            const auto function = code.kernel(text.kernels[i].name, one.shared_bytes);
            if (!function) return function.failure();
            one.function = *function;
        }
        for (const tensor& t : n.constants) {
            auto block = cuda_constant(t);
            if (!block) return block.failure();
            made.constants_.push_back(*std::move(block));
        }
        kernel k(std::move(made), text.workspace_bytes);
        k.note = std::to_string(text.kernels.size()) + (text.kernels.size() == 1 ? " launch" : " launches");
        return k;
    }

    [[nodiscard]] bool start(const run_arguments& a) const {
        const cuda_device& d = *cuda_device::here();
        if (!d.use()) return false;
        for (const ready_launch& l : launches_) {
            constexpr std::size_t on_the_stack = 64;
            cuda_driver::address few[on_the_stack];
            void* few_places[on_the_stack];
            std::vector<cuda_driver::address> many(l.arguments.size() > on_the_stack ? l.arguments.size() : 0);
            std::vector<void*> many_places(many.size());
            cuda_driver::address* const values = many.empty() ? few : many.data();
            void** const places = many.empty() ? few_places : many_places.data();
            for (std::size_t i = 0; i < l.arguments.size(); ++i) {
                values[i] = reinterpret_cast<std::uintptr_t>(address(a, l.arguments[i]));
                places[i] = &values[i];
            }
            if (d.driver().launch(l.function, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2], l.shared_bytes,
                                  d.stream(), places, nullptr) != 0)
                return false;
        }
        return true;
    }

private:
    explicit launched_nest(cuda_module code) : code_(std::move(code)) {}

    [[nodiscard]] const void* address(const run_arguments& a, const launch_argument& from) const {
        switch (from.source) {
            case launch_argument::from::input:
                return a.inputs[from.at];
            case launch_argument::from::result:
                return a.results[from.at];
            case launch_argument::from::constant:
                return constants_[from.at].address();
            case launch_argument::from::workspace:
                break;
        }
        return a.workspace + from.at;
    }

    cuda_module code_;
    std::vector<ready_launch> launches_;
    std::vector<device_block> constants_;
};

}  // namespace inlay::detail

#endif
