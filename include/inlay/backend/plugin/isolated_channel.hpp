// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_ISOLATED_CHANNEL_HPP
#define INLAY_BACKEND_PLUGIN_ISOLATED_CHANNEL_HPP

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <mutex>  // a leaf: only those who keep a back end apart include it
#include <string>
#include <string_view>

#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlay/codegen/compile/run_command.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/quoting.hpp>

namespace inlay {

namespace detail {

/// Sends or receives all of so many bytes by `last`, a time of `steady_seconds`; 0, or the system's reason, `ETIMEDOUT` among them. The end
/// of the other side is `EPIPE`.
template <class Move>
[[nodiscard]] int move_all(int socket, short event, std::size_t size, double last, Move&& move) {
    for (std::size_t done = 0; done < size;) {
        const double left = last - steady_seconds();
        if (left <= 0) return ETIMEDOUT;
        pollfd wait{socket, event, 0};
        if (::poll(&wait, 1, static_cast<int>(std::min(left, 3600.0) * 1e3) + 1) < 0 && errno != EINTR) return errno;
        if (wait.revents == 0) continue;
        const ::ssize_t moved = move(done, size - done);
        if (moved < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        // A side that ended with something unread resets what is between.
        if (moved < 0) return errno == ECONNRESET ? EPIPE : errno;
        if (moved == 0) return EPIPE;
        done += static_cast<std::size_t>(moved);
    }
    return 0;
}
[[nodiscard]] inline int send_message(int socket, std::string_view bytes, double last) {
    const std::uint64_t size = bytes.size();
    std::string head(sizeof size, '\0');
    std::memcpy(head.data(), &size, sizeof size);
    for (const std::string_view part : {std::string_view(head), bytes})
        if (const int failed = move_all(
                socket, POLLOUT, part.size(), last,
                [&](std::size_t at, std::size_t count) { return ::send(socket, part.data() + at, count, MSG_NOSIGNAL | MSG_DONTWAIT); });
            failed != 0)
            return failed;
    return 0;
}
[[nodiscard]] inline int receive_message(int socket, std::string& bytes, double last) {
    constexpr std::uint64_t most = std::uint64_t{1} << 34;
    std::uint64_t size = 0;
    const auto into = [&](char* to) {
        return [socket, to](std::size_t at, std::size_t count) { return ::recv(socket, to + at, count, MSG_DONTWAIT); };
    };
    if (const int failed = move_all(socket, POLLIN, sizeof size, last, into(reinterpret_cast<char*>(&size))); failed != 0) return failed;
    if (size > most) return EMSGSIZE;
    bytes.resize(static_cast<std::size_t>(size));
    return move_all(socket, POLLIN, bytes.size(), last, into(bytes.data()));
}

}  // namespace detail

/// A conversation with a process that answers questions one after the other. One that dies, hangs or talks nonsense is killed, and
/// everything that is asked from then on has the reason. Several threads may ask; they take turns.
class isolated_channel {
public:
    /// Takes over the socket and the process; `seconds` is how long one answer may take.
    isolated_channel(int socket, pid_t process, double seconds) : socket_(socket), process_(process), seconds_(seconds) {}
    isolated_channel(const isolated_channel&) = delete;
    isolated_channel& operator=(const isolated_channel&) = delete;
    ~isolated_channel() {
        if (fault_.empty()) end(0);
    }

    /// How the process ended; empty while it answers.
    [[nodiscard]] std::string fault() {
        const std::lock_guard turn(turns_);
        return fault_;
    }
    [[nodiscard]] outcome<std::string> ask(std::string_view question) {
        const std::lock_guard turn(turns_);
        if (!fault_.empty()) return error{fault_};
        const double last = detail::steady_seconds() + seconds_;
        std::string answer;
        int failed = detail::send_message(socket_, question, last);
        if (failed == 0) failed = detail::receive_message(socket_, answer, last);
        if (failed == 0) return answer;
        fault_ = end(failed);
        return error{fault_};
    }

private:
    /// Ends the process and says how it ended.
    std::string end(int reason) {
        ::close(socket_);
        int status = 0;
        // Its socket closes a moment before it has ended; what still lives is of no use.
        pid_t ended = 0;
        for (int patience = 0; reason == EPIPE && patience < 100 && (ended = ::waitpid(process_, &status, WNOHANG)) == 0; ++patience)
            ::poll(nullptr, 0, 5);
        if (ended != process_) {
            ::kill(process_, SIGKILL);
            while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {}
        }
        if (reason == ETIMEDOUT) return "its process had not answered in " + written_value(seconds_) + " seconds and was ended";
        if (reason == EPIPE && WIFSIGNALED(status))
            return "its process died by signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
        if (reason == EPIPE) return "its process ended with exit status " + std::to_string(WEXITSTATUS(status));
        return "its process cannot be talked to: " + std::string(std::strerror(reason));
    }

    std::mutex turns_;
    int socket_;
    pid_t process_;
    double seconds_;
    std::string fault_;
};

}  // namespace inlay

#endif
