// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/compare_programs.ipp>
#include <inlay/ir/relay_text.ipp>
#include <inlay/ir/write_relay_metadata.ipp>
