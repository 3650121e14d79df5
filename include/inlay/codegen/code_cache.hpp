// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_CODE_CACHE_HPP
#define INLAY_CODEGEN_CODE_CACHE_HPP

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <inlay/core/digest.hpp>

namespace inlay {

namespace detail {

/// All bytes of a file; nothing where it cannot be read.
[[nodiscard]] inline std::string bytes_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes;
    char block[16384];
    while (file.read(block, sizeof block), file.gcount() > 0) bytes.append(block, static_cast<std::size_t>(file.gcount()));
    return bytes;
}

}  // namespace detail

/// Compiled libraries in a folder, each in a file named after the digest of what it was compiled from. Several processes may share one. A
/// folder that cannot be read or written has nothing and keeps nothing. Beyond so many bytes, those that were not asked for for longest go.
struct code_cache {
    std::string folder;  // empty: nowhere
    std::uintmax_t most_bytes = std::uintmax_t{256} << 20;

    [[nodiscard]] std::string place_of(const digest& key) const { return folder + "/" + to_string(key) + ".so"; }

    /// Whether the library of that key is there and whole.
    [[nodiscard]] bool has(const digest& key) const {
        if (folder.empty()) return false;
        const std::string place = place_of(key), file = detail::bytes_of_file(place);
        const std::size_t size = seal({}, key).size();
        const bool whole =
            file.size() > size && file.substr(file.size() - size) == seal(std::string_view(file).substr(0, file.size() - size), key);
        std::error_code ignored;
        if (whole) std::filesystem::last_write_time(place, std::filesystem::file_time_type::clock::now(), ignored);
        return whole;
    }

    /// Puts a library there, whole or not at all, and takes out what is too much. Whether it is there then.
    [[nodiscard]] bool keep(const digest& key, std::string_view library) const {
        if (folder.empty()) return false;
        std::error_code ignored;
        std::filesystem::create_directories(folder, ignored);
        const std::string place = place_of(key);
        std::string beside = place + ".XXXXXX";
        const int file = mkstemp(beside.data());
        if (file < 0) return false;
        const std::string all = std::string(library) + seal(library, key);
        std::size_t done = 0;
        while (done < all.size()) {
            const ::ssize_t wrote = ::write(file, all.data() + done, all.size() - done);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote <= 0) break;
            done += static_cast<std::size_t>(wrote);
        }
        const bool is_whole = ::close(file) == 0 && done == all.size();
        if (is_whole && std::rename(beside.c_str(), place.c_str()) == 0) {
            trim();
            return true;
        }
        ::unlink(beside.c_str());
        return false;
    }

private:
    /// A library has a line behind it that tells whether it is whole and of that key. Loaders do not read so far.
    [[nodiscard]] static std::string seal(std::string_view library, const digest& key) {
        return "\ninlay " + to_string(digest_builder().add(key).add(library).finish()) + "\n";
    }

    /// Takes out the oldest libraries until the rest is small enough. Who has loaded one keeps it.
    void trim() const {
        namespace fs = std::filesystem;
        std::vector<std::pair<fs::file_time_type, fs::path>> oldest;
        std::uintmax_t sum = 0;
        std::error_code failed;
        for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
            std::error_code gone;
            const fs::file_time_type when = at->last_write_time(gone);
            const std::uintmax_t bytes = at->path().extension() == ".so" ? at->file_size(gone) : 0;
            if (gone || bytes == 0) continue;
            sum += bytes;
            oldest.emplace_back(when, at->path());
        }
        if (sum <= most_bytes) return;
        std::sort(oldest.begin(), oldest.end());
        // The newest stays, however large it is.
        for (std::size_t i = 0; i + 1 < oldest.size() && sum > most_bytes; ++i) {
            std::error_code gone;
            const std::uintmax_t bytes = fs::file_size(oldest[i].second, gone);
            if (!gone && fs::remove(oldest[i].second, gone)) sum -= std::min(sum, bytes);
        }
    }
};

}  // namespace inlay

#endif
