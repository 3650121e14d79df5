// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/search_instance.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

// Any text is read or refused with a sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = inlay::read_search_instance(text, "fuzzed.json");
    if (!read && read.failure().message.empty()) __builtin_trap();
    return 0;
}
