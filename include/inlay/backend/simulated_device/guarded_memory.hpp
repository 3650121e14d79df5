// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_SIMULATED_DEVICE_GUARDED_MEMORY_HPP
#define INLAY_BACKEND_SIMULATED_DEVICE_GUARDED_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// The memory of simulated devices. Its addresses are such that a kernel on the CPU that follows one ends with a fault: the pages there are
/// never accessible. What the device keeps stands right behind them, where only `at` leads, which the device's kernels and copies use.
class guarded_memory {
public:
#if defined(__unix__) || defined(__APPLE__)
    static constexpr bool is_there = true;
#else
    static constexpr bool is_there = false;
#endif

    /// A block of that many bytes, zero at first. Error: the system does not give so much address space.
    [[nodiscard]] static outcome<device_block> allocate(std::size_t bytes) {
#if defined(__unix__) || defined(__APPLE__)
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        const std::size_t size = (bytes / page + 1) * page;
        if (bytes < static_cast<std::size_t>(-1) / 4) {
            void* begin = ::mmap(nullptr, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (begin != MAP_FAILED) {
                if (::mprotect(static_cast<std::byte*>(begin) + size, size, PROT_READ | PROT_WRITE) == 0) {
                    all& known = blocks();
                    const std::scoped_lock held(known.lock);
                    known.size_at.emplace(reinterpret_cast<std::uintptr_t>(begin), size);
                    return device_block(begin, size, [](void* at, std::size_t) { give_back(at); });
                }
                ::munmap(begin, 2 * size);
            }
        }
#endif
        return error{"a simulated device has no memory for " + std::to_string(bytes) + " bytes; free memory or partition a smaller model"};
    }

    /// Where the bytes that stand at an address of a device really are; null where they do not all lie in one block of it.
    [[nodiscard]] static std::byte* at(const void* address, std::size_t bytes) {
        const auto place = reinterpret_cast<std::uintptr_t>(address);
        all& known = blocks();
        const std::scoped_lock held(known.lock);
        auto block = known.size_at.upper_bound(place);
        if (block == known.size_at.begin()) return nullptr;
        --block;
        const std::uintptr_t begin = block->first, size = block->second;
        if (place - begin > size || bytes > size - (place - begin)) return nullptr;
        return reinterpret_cast<std::byte*>(begin + size + (place - begin));
    }

private:
    struct all {
        std::mutex lock;
        std::map<std::uintptr_t, std::size_t> size_at;
    };
    static all& blocks() {
        static all known;
        return known;
    }

#if defined(__unix__) || defined(__APPLE__)
    static void give_back(void* begin) {
        std::size_t size = 0;
        {
            all& known = blocks();
            const std::scoped_lock held(known.lock);
            const auto block = known.size_at.find(reinterpret_cast<std::uintptr_t>(begin));
            size = block->second;
            known.size_at.erase(block);
        }
        ::munmap(begin, 2 * size);
    }
#endif
};

}  // namespace inlay::detail

#endif
