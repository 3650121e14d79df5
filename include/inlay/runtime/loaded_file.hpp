// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_LOADED_FILE_HPP
#define INLAY_RUNTIME_LOADED_FILE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <elf.h>
#include <link.h>

namespace inlay {

/// An ELF file that is loaded into this process: the program or a shared library.
struct loaded_file {
    std::string path;      // empty for the program
    std::string build_id;  // the hexadecimal digits of its note NT_GNU_BUILD_ID; empty if there is none

    /// Returns the file that holds an address; nullopt if no file does.
    [[nodiscard]] static std::optional<loaded_file> of(const void* address);
};

namespace detail {

/// Returns the build id among the notes of a file, in hexadecimal digits; empty if there is none. Notes that end too early end the search.
[[nodiscard]] inline std::string build_id_of(std::span<const std::byte> notes) {
    const auto padded = [](std::uint32_t n) { return (std::size_t{n} + 3) / 4 * 4; };
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) head;
        std::memcpy(&head, notes.data(), sizeof head);
        notes = notes.subspan(sizeof head);
        const std::size_t name = padded(head.n_namesz), bytes = padded(head.n_descsz);
        if (name > notes.size() || head.n_descsz > notes.size() - name) break;
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(notes.data(), "GNU", 4) == 0) {
            std::string text;
            for (const std::byte b : notes.subspan(name, head.n_descsz))
                for (const int shift : {4, 0}) text += "0123456789abcdef"[(std::to_integer<unsigned>(b) >> shift) & 15u];
            return text;
        }
        notes = notes.subspan(std::min(name + bytes, notes.size()));
    }
    return {};
}

}  // namespace detail

inline std::optional<loaded_file> loaded_file::of(const void* address) {
    struct search {
        std::uintptr_t address;
        std::optional<loaded_file> found;
    } state{reinterpret_cast<std::uintptr_t>(address), std::nullopt};
    const auto visit = [](dl_phdr_info* file, std::size_t, void* data) {
        search& s = *static_cast<search*>(data);
        const std::span<const ElfW(Phdr)> parts(file->dlpi_phdr, file->dlpi_phnum);
        const bool holds = std::any_of(parts.begin(), parts.end(), [&](const ElfW(Phdr) & p) {
            return p.p_type == PT_LOAD && s.address - (file->dlpi_addr + p.p_vaddr) < p.p_memsz;
        });
        if (!holds) return 0;
        loaded_file found{file->dlpi_name == nullptr ? "" : file->dlpi_name, {}};
        for (const ElfW(Phdr) & p : parts) {
            if (p.p_type != PT_NOTE || !found.build_id.empty()) continue;
            found.build_id = detail::build_id_of({reinterpret_cast<const std::byte*>(file->dlpi_addr + p.p_vaddr), p.p_memsz});
        }
        s.found = std::move(found);
        return 1;
    };
    dl_iterate_phdr(visit, &state);
    return state.found;
}

/// Returns what identifies the code of a library in the key of a price: the version that it states, and the build id of the shared library
/// that holds `address`, cut to 64 bits. Two builds of one version, on two systems for instance, differ. A library that is linked into the
/// program is identified by its version alone, or by the program's build id if it states none.
[[nodiscard]] inline std::string library_version(std::string stated, const void* address) {
    const auto file = loaded_file::of(address);
    if (!file || file->build_id.empty() || (file->path.empty() && !stated.empty())) return stated.empty() ? "of unknown version" : stated;
    return stated + (stated.empty() ? "build " : " build ") + file->build_id.substr(0, 16);
}

}  // namespace inlay

#endif
