// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_PROGRAM_FRAME_HPP
#define INLAY_RUNTIME_PROGRAM_FRAME_HPP

#include <cstdint>
#include <vector>

#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/work_queue.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/runtime/step_schedule.hpp>

namespace inlay {

namespace detail {

/// A step that ran, or several that were started one behind the other, at least one of which failed; or none.
struct failed_steps {
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    std::uint32_t first = none, last = none;
};

/// Steps of a lane, one behind the other from one step on, that a frame records when it runs them for the second time: the first time
/// libraries may set themselves up.
struct recorded_steps {
    std::uint32_t count = 0;  // none: they are not recorded
    std::uint32_t runs = 0;   // up to 2
    recorded_work work;
};

}  // namespace detail

/// The memory of one run at a time: arena, workspaces, tables of addresses, and the schedule that they were laid out for. Made by
/// `program::make_frame`, usable with that program alone, again and again. Runs that go on at once need a frame each.
class program_frame {
public:
    program_frame() = default;
    program_frame(program_frame&&) noexcept = default;
    program_frame& operator=(program_frame&&) noexcept = default;
    program_frame(const program_frame&) = delete;
    program_frame& operator=(const program_frame&) = delete;

private:
    friend class program;

    buffer memory_;
    std::vector<device_block> elsewhere_;  // in the order of the program's other memories
    const void* program_ = nullptr;
    step_schedule schedule_;
    run_arguments arguments_;                       // of a step that runs alone
    std::vector<run_arguments> lanes_;              // of the steps of each lane
    std::vector<detail::failed_steps> failed_;      // by lane
    std::vector<detail::recorded_steps> recorded_;  // by step, where it is the first of them
    std::vector<const void*> reads_;
    std::vector<void*> writes_;
};

}  // namespace inlay

#endif
