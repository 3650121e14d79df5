// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_RUN_RUN_PHASES_HPP
#define INLAY_LOOPS_RUN_RUN_PHASES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/device/barriers.hpp>
#include <inlay/loops/device/device_launch.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/run/run_nest.hpp>

namespace inlay {

/// A launch and where its threads wait for each other.
struct ordered_launch {
    device_launch launch;
    thread_order order;
};

/// The launches of a nest with their barriers. The error is that of `launches_of` or of `order_threads`.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<ordered_launch>> ordered_launches(const loop_nest& n);

namespace detail {

/// Runs a nest phase after phase and remembers who touched each element.
class phase_runner final : public nest_runner {
public:
    INLAY_FUNCTION phase_runner(const loop_nest& n, std::span<const ordered_launch> launches, std::span<const external_function> externals);

protected:
    INLAY_FUNCTION void run(statement_id id) override;

    [[nodiscard]] INLAY_FUNCTION std::byte* place(buffer_id b, const std::vector<affine>& indices, bool writes) override;

    INLAY_FUNCTION void call(const nest_statement& s) override;

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    /// Who wrote and who read an element in a stretch of time: numbers of threads or of blocks, -1 for nobody.
    struct visitors {
        std::int64_t time = -1, writer = -1, reader = -1, other_reader = -1;

        /// Adds a visit; gives the other one that it may not meet, or -1.
        [[nodiscard]] std::int64_t met(std::int64_t now, std::int64_t who, bool writes) {
            if (time != now) *this = {now, -1, -1, -1};
            const auto another = [&](std::int64_t one) { return one >= 0 && one != who; };
            const std::int64_t wrong = another(writer)         ? writer
                                       : !writes               ? -1
                                       : another(reader)       ? reader
                                       : another(other_reader) ? other_reader
                                                               : -1;
            if (writes) writer = who;
            if (!writes && reader < 0) reader = who;
            if (!writes && another(reader)) other_reader = who;
            return wrong;
        }
    };

    INLAY_FUNCTION void launch(const ordered_launch& one);
    INLAY_FUNCTION void phase(const device_phase& p);
    INLAY_FUNCTION void set(const std::array<std::optional<statement_id>, 3>& loops, const std::array<std::int64_t, 3>& to);

    INLAY_FUNCTION void touch(buffer_id b, const std::vector<affine>& indices, std::size_t at, bool writes);

    [[nodiscard]] std::string head() const { return "loop nest " + quoted_text(n_.name) + ": "; }
    [[nodiscard]] INLAY_FUNCTION static std::string shown(std::int64_t number, const std::array<std::int64_t, 3>& of);
    [[nodiscard]] INLAY_FUNCTION std::string element(buffer_id b, const std::vector<affine>& indices) const;

    std::span<const ordered_launch> launches_;
    std::vector<std::size_t> launch_at_;  // by statement
    std::vector<char> is_own_;            // by buffer: the block has it for itself
    std::vector<std::vector<visitors>> among_threads_, among_blocks_;
    const ordered_launch* now_ = nullptr;
    bool is_in_phase_ = false;
    std::int64_t thread_ = 0, block_ = 0, stretches_ = 0, blocks_run_ = 0, launches_run_ = 0;
};

}  // namespace detail

/// What a nest computes on a device's threads, one after the other, phase after phase, with barriers where `launches` has them: what
/// `run_nest` gives, or that threads get in each other's way. Between two barriers no two threads of a block touch an element of which one
/// of them writes, in a launch no two blocks do, elements on the stack are one thread's for all of a block, and what a block has for itself
/// is written before it is read. The error names the buffer, the element and the two threads or blocks; else it is that of `run_nest`. Time
/// as `run_nest`, and 64 bytes for each element of a buffer. Precondition: the launches are those of the nest.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<tensor>> run_phases(const loop_nest& n, std::span<const tensor> inputs,
                                                                     std::span<const ordered_launch> launches,
                                                                     std::span<const external_function> externals = {});

/// The same with the launches and barriers that printers use.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<tensor>> run_phases(const loop_nest& n, std::span<const tensor> inputs);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/run/run_phases.ipp>
#endif

#endif
