// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/read_relay.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <inlay/io/relay/relay_document.hpp>
#include <inlay/ir/compare_programs.hpp>

// Any text is a program or refused with a sentence; a program is printed as a text from which an equal one is read that prints the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto read = inlay::read_relay(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!read) {
        if (read.failure().message.empty()) __builtin_trap();
        return 0;
    }
    const std::string printed = inlay::relay_document(*read);
    const auto again = inlay::read_relay(printed);
    if (!again) {
        __builtin_printf("what was printed is not read back: %s\n%s\n", again.failure().message.c_str(), printed.c_str());
        __builtin_trap();
    }
    if (inlay::relay_document(*again) != printed) __builtin_trap();
    // What is no number equals nothing.
    if (printed.find("nanf") != std::string::npos) return 0;
    if (const auto difference = inlay::compare_programs(*read, *again)) {
        __builtin_printf("what was printed reads back as another program: %s\n%s\n", difference->c_str(), printed.c_str());
        __builtin_trap();
    }
    return 0;
}
