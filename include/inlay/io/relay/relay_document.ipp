// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_DOCUMENT_IPP
#define INLAY_IO_RELAY_RELAY_DOCUMENT_IPP

#include <string>

#include <inlay/io/relay/relay_document.hpp>

#include <inlay/ir/relay_text.hpp>

namespace inlay {

INLAY_FUNCTION std::string relay_document(const ir_module& m, const target_schemas& known) { return relay_text(m, known); }

}  // namespace inlay

#endif
