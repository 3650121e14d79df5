// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_READ_FILE_HPP
#define INLAY_IO_READ_FILE_HPP

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// The bytes of a file, at most `longest` of them. Errors name the path and the system's reason.
[[nodiscard]] inline outcome<std::string> read_file(const std::string& path, std::size_t longest = std::size_t{1} << 31) {
    const auto failed = [&](const std::string& what) { return error{quoted_text(path, 400) + ": " + what}; };
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return failed(std::string("the file cannot be read: ") + std::strerror(errno));
    struct closer {
        int file;
        ~closer() { ::close(file); }
    } const close_at_end{file};
    struct stat facts {};
    if (::fstat(file, &facts) != 0 || S_ISDIR(facts.st_mode)) return failed("a folder stands where a file was expected");
    std::string bytes;
    if (S_ISREG(facts.st_mode) && static_cast<unsigned long long>(facts.st_size) <= longest)
        bytes.reserve(static_cast<std::size_t>(facts.st_size) + 1);
    for (;;) {
        const std::size_t had = bytes.size();
        // Pipes and devices have no size to be asked for, and may never end.
        if (had > longest) return failed("the file has more than " + std::to_string(longest) + " bytes, the most that is read here");
        bytes.resize(had < bytes.capacity() ? bytes.capacity() : had + 65536);
        const ::ssize_t got = ::read(file, bytes.data() + had, bytes.size() - had);
        bytes.resize(had + static_cast<std::size_t>(got < 0 ? 0 : got));
        if (got < 0 && errno != EINTR) return failed(std::string("the file cannot be read: ") + std::strerror(errno));
        if (got == 0) return bytes;
    }
}

}  // namespace inlay

#endif
