// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/read_relay.ipp>
#include <inlay/io/relay/relay_document.ipp>
#include <inlay/io/relay/relay_metadata.ipp>
