// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_SEARCH_CHILD_HPP
#define INLAY_BENCHMARKS_SEARCH_CHILD_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

/// How a child process ended.
enum class child_end {
    answered,
    /// It was killed, with all that it had started, because its time was up.
    timed_out,
    /// It ended without an answer: a crash, or no memory.
    died,
    /// The user asked to stop; it was killed.
    interrupted,
};

/// Catches the signals by which a user stops a program; from then on a running child is killed by them and `run_in_child` returns.
void catch_interrupts();
[[nodiscard]] bool was_interrupted();

[[nodiscard]] child_end run_in_child(void* answer, std::size_t size, double limit_s, const std::function<void()>& work);

/// Runs `work` in a child process of its own and process group, for at most `limit_s` seconds, and copies what it returns.
template <class Answer>
[[nodiscard]] child_end run_in_child(Answer& answer, double limit_s, const std::function<Answer()>& work) {
    static_assert(std::is_trivially_copyable_v<Answer>);
    Answer made{};
    const child_end end = run_in_child(&made, sizeof made, limit_s, [&] { made = work(); });
    if (end == child_end::answered) answer = made;
    return end;
}

/// Runs a program, found as a shell finds it, with its output in a file; returns its exit status, -1 where it did not run to its end.
[[nodiscard]] int run_program(const std::vector<std::string>& words, const std::string& output);

/// Whether a program of this name is to be found.
[[nodiscard]] bool has_program(const std::string& name);

/// The memory that stands now, and the most that has stood since `forget_peak_memory`, in KiB; 0 where the system does not say.
[[nodiscard]] long memory_kib();
[[nodiscard]] long peak_memory_kib();
void forget_peak_memory();

}  // namespace bench

#endif
