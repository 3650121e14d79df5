// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_COMPILE_CODE_CACHE_HPP
#define INLAY_CODEGEN_COMPILE_CODE_CACHE_HPP

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
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

/// Makes a folder and those that it stands in. What is there already, and what cannot be made, shows when a file is made there.
inline void make_folders(const std::string& folder) {
    for (std::size_t end = 1; end != std::string::npos;) {
        end = folder.find('/', end);
        (void)::mkdir(folder.substr(0, end).c_str(), 0777);
        if (end != std::string::npos) ++end;
    }
}

}  // namespace detail

/// Compiled libraries in a folder, each in a file named after the digest of what it was compiled from. Several processes may share one. A
/// folder that cannot be read or written has nothing and keeps nothing. Beyond so many bytes, those that were not asked for for longest go.
struct code_cache {
    std::string folder;  // empty: nowhere
    std::uint64_t most_bytes = std::uint64_t{256} << 20;

    [[nodiscard]] std::string place_of(const digest& key) const { return folder + "/" + to_string(key) + ".so"; }

    /// Whether the library of that key is there and whole.
    [[nodiscard]] bool has(const digest& key) const {
        if (folder.empty()) return false;
        const std::string place = place_of(key), file = detail::bytes_of_file(place);
        const std::size_t size = seal({}, key).size();
        const bool whole =
            file.size() > size && file.substr(file.size() - size) == seal(std::string_view(file).substr(0, file.size() - size), key);
        if (whole) (void)::utimensat(AT_FDCWD, place.c_str(), nullptr, 0);  // it was asked for now
        return whole;
    }

    /// Puts a library there, whole or not at all, and takes out what is too much. Whether it is there then.
    [[nodiscard]] bool keep(const digest& key, std::string_view library) const {
        if (folder.empty()) return false;
        detail::make_folders(folder);
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
        struct entry {
            std::int64_t seconds, nanoseconds;
            std::uint64_t bytes;
            std::string path;
        };
        std::vector<entry> all;
        std::uint64_t sum = 0;
        DIR* const open = ::opendir(folder.c_str());
        if (open == nullptr) return;
        while (const dirent* one = ::readdir(open)) {
            const std::string_view name = one->d_name;
            entry e{0, 0, 0, folder + "/" + std::string(name)};
            struct stat status {};
            if (!name.ends_with(".so") || ::stat(e.path.c_str(), &status) != 0) continue;
            e.seconds = status.st_mtim.tv_sec;
            e.nanoseconds = status.st_mtim.tv_nsec;
            e.bytes = static_cast<std::uint64_t>(status.st_size);
            sum += e.bytes;
            all.push_back(std::move(e));
        }
        ::closedir(open);
        if (sum <= most_bytes) return;
        std::sort(all.begin(), all.end(), [](const entry& a, const entry& b) {
            return std::tie(a.seconds, a.nanoseconds, a.path) < std::tie(b.seconds, b.nanoseconds, b.path);
        });
        // The newest stays, however large it is.
        for (std::size_t i = 0; i + 1 < all.size() && sum > most_bytes; ++i)
            if (::unlink(all[i].path.c_str()) == 0) sum -= all[i].bytes;
    }
};

}  // namespace inlay

#endif
