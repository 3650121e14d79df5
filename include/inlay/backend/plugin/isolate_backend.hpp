// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_ISOLATE_BACKEND_HPP
#define INLAY_BACKEND_PLUGIN_ISOLATE_BACKEND_HPP

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>  // a leaf: only those who keep a back end apart include it
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/checked_table.hpp>
#include <inlay/backend/plugin/isolated_channel.hpp>
#include <inlay/backend/plugin/isolated_server.hpp>
#include <inlay/backend/plugin/isolated_table.hpp>
#include <inlay/backend/plugin/loaded_backend.hpp>
#include <inlay/codegen/compile/shared_library.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// The first argument of a process that keeps a back end, see `isolation_main`.
inline constexpr std::string_view isolation_flag = "--inlay-isolated-backend";
/// The descriptor of its socket.
inline constexpr int isolation_socket = 3;

/// How a back end is kept apart.
struct isolation_options {
    std::string executable = "/proc/self/exe";  // whose `main` calls `isolation_main`
    double seconds = 60;                        // that one answer may take
};

/// What `main` of a program that keeps back ends apart does first: `if (auto code = isolation_main(argc, argv)) return *code;`. Where the
/// process was started to keep one, it loads the library, answers until the other side has gone, and gives the exit status; else nothing,
/// at once.
[[nodiscard]] inline std::optional<int> isolation_main(int argc, char** argv) {
    if (argc < 3 || std::string_view(argv[1]) != isolation_flag) return std::nullopt;
    for (const int one : {SIGINT, SIGTERM}) std::signal(one, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit no_core{0, 0};
    (void)::setrlimit(RLIMIT_CORE, &no_core);
    const auto library = shared_library::open(argv[2], true);
    if (!library) return 3;
    const auto entry = library->function<const inlay_backend*()>(INLAY_BACKEND_ENTRY);
    if (entry == nullptr) return 4;
    const auto sound = check_table(entry());
    if (!sound) return 5;
    serve_isolated(isolation_socket, *sound->table);
    ::_exit(0);
}

/// Loads a library in a process of its own and gives the back end that it exports: whatever it does, it does not do it to this process. The
/// error says why there is none. `path` has a slash.
[[nodiscard]] inline outcome<loaded_backend> isolate_backend(const std::string& path, const isolation_options& how = {}) {
    int ends[2];
    const auto refuse = [&](int reason) { return error{"a process for it cannot be started: " + std::string(std::strerror(reason))}; };
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return refuse(errno);
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        ::close(ends[0]);
        ::close(ends[1]);
        return refuse(ENOMEM);
    }
    // The other end may stand at that number already, where a copy onto itself would be closed when the program starts.
    if (ends[1] == isolation_socket) {
        const int elsewhere = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
        ::close(ends[1]);
        ends[1] = elsewhere;
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 2, 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], isolation_socket);
    std::string program = how.executable, flag(isolation_flag), file = path;
    char* arguments[]{program.data(), flag.data(), file.data(), nullptr};
    pid_t process = -1;
    const int failed = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failed != 0) {
        ::close(ends[0]);
        return refuse(failed);
    }
    auto table = isolated_table::make(std::make_unique<isolated_channel>(ends[0], process, how.seconds));
    if (!table) {
        // Why it is no back end is found out at less risk where it is tried.
        const std::string& why = table.failure().message;
        const std::pair<const char*, const char*> known[] = {{"exit status 3", "; it cannot be loaded"},
                                                             {"exit status 4", "; it exports no back end for inlay"},
                                                             {"exit status 5", "; its table is not sound"}};
        for (const auto& [status, meaning] : known)
            if (why.ends_with(status)) return error{why + meaning};
        return error{why};
    }
    return loaded_backend::of(*std::move(table), path);
}

}  // namespace inlay

#endif
