// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_TRY_LIBRARIES_HPP
#define INLAY_BACKEND_PLUGIN_TRY_LIBRARIES_HPP

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/load_backend.hpp>
#include <inlay/codegen/compile/code_cache.hpp>
#include <inlay/codegen/compile/run_command.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/write_file.hpp>
#include <inlay/target/quoting.hpp>

namespace inlay {

/// The first argument of a process that tries libraries, see `trial_main`.
inline constexpr std::string_view trial_flag = "--inlay-try-backends";

/// How libraries are tried.
struct trial_options {
    std::string executable = "/proc/self/exe";  // whose `main` calls `trial_main`
    std::string verdicts;                       // the folder in which verdicts are kept; empty: nowhere
    double seconds = 10;                        // after which a library counts as one that hangs
};

namespace detail {

inline constexpr std::string_view verdict_is_safe = "safe\n";

/// Where the verdict on a library stands: it is told by its bytes and by the interface.
[[nodiscard]] inline std::string place_of_verdict(const std::string& folder, const std::string& file) {
    const digest key = digest_builder().add(bytes_of_file(file)).add(std::uint64_t{INLAY_BACKEND_ABI_VERSION}).finish();
    return folder + "/" + to_string(key) + ".verdict";
}

}  // namespace detail

/// What `main` of a program that loads back ends does first: `if (auto code = trial_main(argc, argv)) return *code;`. Where the process was
/// started to try libraries, it loads each, opens an instance and asks it all that is asked without a graph, and gives the exit status;
/// else nothing, at once. Behind each step that it survives it writes a byte, a point behind the last one of each library; what libraries
/// print goes nowhere.
[[nodiscard]] inline std::optional<int> trial_main(int argc, char** argv) {
    if (argc < 2 || std::string_view(argv[1]) != trial_flag) return std::nullopt;
    const rlimit no_core{0, 0};
    (void)::setrlimit(RLIMIT_CORE, &no_core);
    const int told = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10), nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (told < 0 || nowhere < 0) return 2;
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    for (int i = 2; i < argc; ++i) {
        const auto tell = [&](const char* survived) { return ::write(told, survived, 1) == 1; };
        if (const auto made = load_backend(argv[i])) {
            if (!tell("l")) return 2;
            (void)made->version();
            if (!tell("v")) return 2;
            (void)made->usable().has_value();
        }
        if (!tell(".")) return 2;
    }
    // Not by way of the libraries' own endings, which nobody needs here.
    ::_exit(0);
}

/// Whether each of these libraries can be loaded without harm to the process, which a child process finds out for all that have no verdict
/// yet. The error says how it ended or that it hangs, and, where the verdict is kept, which file to remove to try again. A library that
/// merely is no back end passes: `load_backend` says so.
[[nodiscard]] inline std::vector<outcome<void>> try_libraries(std::span<const std::string> files, const trial_options& how) {
    std::vector<outcome<void>> verdicts(files.size());
    std::vector<std::size_t> open;
    std::vector<std::string> place(files.size());
    const auto bad = [&](std::size_t i, const std::string& why) {
        return error{place[i].empty() ? why : why + "; remove " + quoted_text(place[i], 400) + " to try it again"};
    };
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!how.verdicts.empty()) {
            place[i] = detail::place_of_verdict(how.verdicts, files[i]);
            const std::string kept = detail::bytes_of_file(place[i]);
            if (kept == detail::verdict_is_safe) continue;
            if (!kept.empty()) {
                verdicts[i] = bad(i, kept);
                continue;
            }
        }
        open.push_back(i);
    }
    const auto keep = [&](std::size_t i, std::string_view verdict) {
        if (place[i].empty()) return;
        detail::make_folders(how.verdicts);
        // Where it cannot be kept, it is found out again.
        (void)write_file(place[i], verdict).has_value();
    };
    while (!open.empty()) {
        command_request call;
        call.words = {how.executable, std::string(trial_flag)};
        for (const std::size_t i : open) call.words.push_back(files[i]);
        call.seconds = how.seconds;
        const auto end = run_command(call);
        if (!end) {
            for (const std::size_t i : open) verdicts[i] = error{"it cannot be tried before it is loaded: " + end.failure().message};
            break;
        }
        const auto points = static_cast<std::size_t>(std::count(end->output.begin(), end->output.end(), '.'));
        const std::size_t survived = std::min(points, open.size());
        for (std::size_t k = 0; k < survived; ++k) keep(open[k], detail::verdict_is_safe);
        if (survived == open.size()) break;
        const std::size_t at_fault = open[survived];
        constexpr std::string_view open_step[] = {"while it was loaded", "when it was asked for its version",
                                                  "when it was asked whether it can run"};
        // What was told behind the last point is of the library at fault.
        const std::size_t told = end->output.size() - (end->output.find_last_of('.') + 1);
        const std::string step(open_step[std::min(told, std::size(open_step) - 1)]);
        std::string why;
        if (end->is_late)
            why = "it has not answered in " + written_value(how.seconds) + " seconds " + step;
        else if (end->signal != 0)
            why = "it crashed " + step + ": signal " + std::to_string(end->signal) + " (" + ::strsignal(end->signal) + ")";
        else
            why =
                "it ended the process that loaded it" + (told == 0 ? "" : " " + step) + ", with exit status " + std::to_string(end->status);
        keep(at_fault, why);
        verdicts[at_fault] = bad(at_fault, why);
        open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(survived) + 1);
    }
    return verdicts;
}

}  // namespace inlay

#endif
