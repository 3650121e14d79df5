// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_DOCUMENT_IPP
#define INLAY_IO_RELAY_RELAY_DOCUMENT_IPP

#include <string>
#include <utility>

#include <inlay/io/relay/relay_document.hpp>

#include <inlay/io/relay/write_relay_metadata.hpp>
#include <inlay/ir/relay_text.hpp>

namespace inlay {

INLAY_FUNCTION std::string relay_document(const ir_module& m, const target_schemas& known) {
    relay_print printed = print_relay(m);
    if (printed.constants.empty() && printed.placements.empty()) return std::move(printed.text);
    return printed.text + "\n#[metadata]\n" + write_relay_metadata(printed.constants, printed.placements, known);
}

}  // namespace inlay

#endif
