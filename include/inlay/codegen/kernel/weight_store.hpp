// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_WEIGHT_STORE_HPP
#define INLAY_CODEGEN_KERNEL_WEIGHT_STORE_HPP

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlay/core/buffer.hpp>
#include <inlay/core/digest.hpp>

namespace inlay {

/// What kernels packed of their constants, kept by what it was packed of and how: kernels, programs and threads that want the same share
/// it. With a folder it is also kept in files, which later processes map: they need no packing, and one copy in memory serves all of them.
/// A file that is damaged is packed and written anew; a folder that cannot be read or written is done without. What it gave stays good when
/// it is gone. Safe across threads; of two that ask for the same at once, one may pack in vain.
class weight_store {
public:
    /// Files are for what has at least so many bytes.
    static constexpr std::size_t worth_a_file = std::size_t{64} << 10;

    /// `folder`: where files are kept, which must exist; empty: in memory alone. `spare` bytes that no kernel uses any more are kept at
    /// most.
    explicit weight_store(std::string folder = {}, std::size_t spare = std::size_t{1} << 30) : folder_(std::move(folder)), spare_(spare) {}

    /// `size` bytes that `of` stands for. Where they are not known, `pack(buffer&)` writes them over zeros. Empty where there is no memory.
    template <class Pack>
    [[nodiscard]] buffer get(const digest& of, std::size_t size, Pack&& pack) {
        const digest key = digest_builder().add(of).add(std::uint64_t{size}).finish();
        if (buffer known = known_in_memory(key); known.size() != 0) return known;
        const std::string file = folder_.empty() || size < worth_a_file ? std::string() : folder_ + "/" + to_string(key) + ".weights";
        buffer made = file.empty() ? buffer() : mapped(file, key, size);
        if (made.size() == 0) {
            made = buffer(size);
            if (made.size() == 0) return made;
            pack(made);
            if (!file.empty() && write(file, key, made))
                if (buffer shared = mapped(file, key, size); shared.size() != 0) made = std::move(shared);
        }
        return keep(key, std::move(made));
    }

    /// How many different ones are kept, and their bytes.
    [[nodiscard]] std::size_t count() const {
        const std::lock_guard one_at_a_time(guard_);
        return kept_.size();
    }
    [[nodiscard]] std::size_t bytes() const {
        const std::lock_guard one_at_a_time(guard_);
        std::size_t sum = 0;
        for (const auto& [key, each] : kept_) sum += each.size();
        return sum;
    }

private:
    /// What a file begins with, in the place that a mapped buffer then takes for itself.
    struct head {
        std::array<char, 16> what{'i', 'n', 'l', 'a', 'y', ' ', 'w', 'e', 'i', 'g', 'h', 't', 's', ' ', '1', '\n'};
        digest key;
        std::uint64_t size = 0;
        digest content;
        std::uint64_t unused = 0;

        friend bool operator==(const head&, const head&) = default;
    };
    static_assert(sizeof(head) == buffer::alignment);

    [[nodiscard]] static head head_of(const digest& key, const std::byte* data, std::size_t size) {
        head h;
        h.key = key;
        h.size = size;
        h.content = digest_builder().add_bytes(data, size).finish();
        return h;
    }

    [[nodiscard]] buffer known_in_memory(const digest& key) const {
        const std::lock_guard one_at_a_time(guard_);
        const auto at = kept_.find(key);
        return at == kept_.end() ? buffer() : at->second;
    }

    [[nodiscard]] buffer keep(const digest& key, buffer made) {
        const std::lock_guard one_at_a_time(guard_);
        std::size_t unused = 0;
        for (const auto& [other, each] : kept_) unused += each.is_alone() ? each.size() : 0;
        if (unused > spare_) std::erase_if(kept_, [](const auto& each) { return each.second.is_alone(); });
        return kept_.try_emplace(key, std::move(made)).first->second;
    }

    /// The bytes of a file, which go when nobody uses them; empty where it is none or damaged.
    [[nodiscard]] static buffer mapped(const std::string& path, const digest& key, std::size_t size) {
        const std::size_t all = sizeof(head) + size + buffer::slack;
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) return {};
        struct stat facts {};
        const bool has_size = ::fstat(file, &facts) == 0 && facts.st_size == static_cast<off_t>(all);
        void* memory = has_size ? ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0) : MAP_FAILED;
        ::close(file);
        if (memory == MAP_FAILED) return {};
        const auto* data = static_cast<const std::byte*>(memory) + sizeof(head);
        head found;
        std::memcpy(&found, memory, sizeof(head));
        if (found != head_of(key, data, size)) {
            ::munmap(memory, all);
            return {};
        }
        return buffer::in(memory, size, [](void* of, std::size_t bytes) { ::munmap(of, sizeof(head) + bytes + buffer::slack); });
    }

    /// Writes a file, whole or not at all. Whether it is there then.
    [[nodiscard]] static bool write(const std::string& path, const digest& key, const buffer& data) {
        std::string beside = path + ".XXXXXX";
        const int file = ::mkstemp(beside.data());
        if (file < 0) return false;
        const head first = head_of(key, data.data(), data.size());
        const bool is_whole = put(file, &first, sizeof(first)) && put(file, data.data(), data.size() + buffer::slack);
        if (::close(file) == 0 && is_whole && std::rename(beside.c_str(), path.c_str()) == 0) return true;
        ::unlink(beside.c_str());
        return false;
    }
    [[nodiscard]] static bool put(int file, const void* data, std::size_t size) {
        const auto* at = static_cast<const char*>(data);
        while (size != 0) {
            const ::ssize_t wrote = ::write(file, at, size);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote <= 0) return false;
            at += wrote;
            size -= static_cast<std::size_t>(wrote);
        }
        return true;
    }

    mutable std::mutex guard_;
    std::map<digest, buffer> kept_;
    std::string folder_;
    std::size_t spare_;
};

}  // namespace inlay

#endif
