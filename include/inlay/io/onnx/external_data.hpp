// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_EXTERNAL_DATA_HPP
#define INLAY_IO_ONNX_EXTERNAL_DATA_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay::detail {

/// The folder that a model's external data lies in; nothing where the model came without one.
using external_folder = std::optional<std::string>;

/// Where a tensor's bytes lie, as the file says it; offset and length are decimal numbers or empty.
struct external_place {
    std::string location, offset, length;
};

inline std::optional<std::uint64_t> decimal(std::string_view text) {
    if (text.empty() || text.size() > 18) return std::nullopt;
    std::uint64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        number = 10 * number + static_cast<std::uint64_t>(c - '0');
    }
    return number;
}

/// The real path of a location below a folder; nothing where it does not exist or lies elsewhere, by dots or by links.
inline std::optional<std::string> path_inside(const std::string& folder, const std::string& location) {
    if (location.empty() || location.front() == '/' || location.find('\0') != std::string::npos) return std::nullopt;
    for (std::size_t at = 0; at <= location.size();) {
        const std::size_t end = std::min(location.find('/', at), location.size());
        if (std::string_view(location).substr(at, end - at) == "..") return std::nullopt;
        at = end + 1;
    }
    char* base = ::realpath(folder.empty() ? "." : folder.c_str(), nullptr);
    if (base == nullptr) return std::nullopt;
    std::string root = base;
    std::free(base);
    char* real = ::realpath((root + "/" + location).c_str(), nullptr);
    if (real == nullptr) return std::nullopt;
    std::string path = real;
    std::free(real);
    if (root != "/") root += '/';
    if (path.compare(0, root.size(), root) != 0) return std::nullopt;
    return path;
}

/// Reads `bytes` bytes of external data. `memory` is asked for the place to put them once the file is known to hold them. The
/// error's text follows the name of the tensor.
template <class Memory>
outcome<void> read_external(const external_folder& folder, const external_place& place, std::size_t bytes, Memory&& memory) {
    if (!folder) return error{"keeps its data in the file " + quoted_text(place.location) + "; give the folder of external data"};
    const auto offset = place.offset.empty() ? 0 : decimal(place.offset);
    const auto length = place.length.empty() ? bytes : decimal(place.length);
    if (!offset || !length) return error{"states no number as offset or length of its external data"};
    if (*length != bytes)
        return error{"has " + std::to_string(*length) + " bytes of external data where its shape asks for " + std::to_string(bytes)};
    const auto path = path_inside(*folder, place.location);
    if (!path) return error{"keeps its data in " + quoted_text(place.location) + ", which is no file inside the model's folder"};
    const int file = ::open(path->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return error{"keeps its data in " + quoted_text(place.location) + ", which cannot be opened"};
    struct closer {
        int file;
        ~closer() { ::close(file); }
    } const close_at_end{file};
    struct stat facts {};
    if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return error{"keeps its data in " + quoted_text(place.location) + ", which is no file"};
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    if (*offset > size || size - *offset < bytes)
        return error{"keeps its data in " + quoted_text(place.location) + ", which ends before offset " + std::to_string(*offset) +
                     " plus " + std::to_string(bytes) + " bytes"};
    if (bytes == 0) return {};
    std::byte* out = memory();
    if (out == nullptr) return error{"does not fit into memory"};
    for (std::size_t done = 0; done < bytes;) {
        const ::ssize_t got = ::pread(file, out + done, bytes - done, static_cast<::off_t>(*offset + done));
        if (got <= 0) return error{"keeps its data in " + quoted_text(place.location) + ", which could not be read to its end"};
        done += static_cast<std::size_t>(got);
    }
    return {};
}

}  // namespace inlay::detail

#endif
