// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_READ_RELAY_IPP
#define INLAY_IO_RELAY_READ_RELAY_IPP

#include <string>
#include <string_view>

#include <inlay/io/relay/read_relay.hpp>

namespace inlay {

INLAY_FUNCTION outcome<ir_module> read_relay(std::string_view, const relay_read_options&) {
    return error{"Relay text is not read yet"};
}

INLAY_FUNCTION outcome<ir_module> load_relay(const std::string&, const relay_read_options&) { return error{"Relay text is not read yet"}; }

}  // namespace inlay

#endif
