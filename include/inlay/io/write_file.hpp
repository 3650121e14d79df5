// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_WRITE_FILE_HPP
#define INLAY_IO_WRITE_FILE_HPP

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// Writes a file as a whole or not at all: beside its place under another name, flushed to the disk, then renamed. A link is
/// followed; a device, a pipe or `/dev/stdout` is written to as it stands. Errors name the path and the system's reason.
[[nodiscard]] inline outcome<void> write_file(const std::string& path, std::string_view bytes) {
    const auto failed = [&](int reason) {
        return error{quoted_text(path, 400) + ": the file cannot be written: " + std::strerror(reason)};
    };
    const auto write_all = [&](int file) {
        for (std::size_t done = 0; done < bytes.size();) {
            const ::ssize_t wrote = ::write(file, bytes.data() + done, bytes.size() - done);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote <= 0) return wrote < 0 ? errno : ENOSPC;
            done += static_cast<std::size_t>(wrote);
        }
        return 0;
    };

    std::string place = path;
    mode_t mode = 0;
    struct stat facts {};
    if (::stat(path.c_str(), &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) return failed(EISDIR);
        if (!S_ISREG(facts.st_mode)) {
            const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
            if (file < 0) return failed(errno);
            int reason = write_all(file);
            if (::close(file) != 0 && reason == 0) reason = errno;
            if (reason != 0) return failed(reason);
            return {};
        }
        if (::access(path.c_str(), W_OK) != 0) return failed(errno);
        mode = facts.st_mode & 07777;
        if (char* real = ::realpath(path.c_str(), nullptr)) {
            place = real;
            std::free(real);
        }
    }
    std::string beside = place + ".XXXXXX";
    const int file = ::mkstemp(beside.data());
    if (file < 0) return failed(errno);
    if (mode == 0) {
        // The temporary file is its owner's alone; the finished one is what `open` would have made.
        const mode_t mask = ::umask(0);
        ::umask(mask);
        mode = 0666 & ~mask;
    }
    int reason = write_all(file);
    if (reason == 0 && ::fchmod(file, mode) != 0) reason = errno;
    if (reason == 0 && ::fsync(file) != 0) reason = errno;
    if (::close(file) != 0 && reason == 0) reason = errno;
    if (reason == 0 && std::rename(beside.c_str(), place.c_str()) != 0) reason = errno;
    if (reason == 0) return {};
    ::unlink(beside.c_str());
    return failed(reason);
}

}  // namespace inlay

#endif
