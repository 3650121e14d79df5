// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_CERTIFICATE_FILE_HPP
#define INLAY_IO_JSON_CERTIFICATE_FILE_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/proof/certificate.hpp>

namespace inlay {

/// A certificate as JSON; see the page of search instances.
[[nodiscard]] INLAY_FUNCTION json_output certificate_json(const certificate& proof);

/// Reads what `certificate_json` writes. Whether it proves anything, `verify_certificate` says. The error names the place.
[[nodiscard]] INLAY_FUNCTION outcome<certificate> read_certificate(const json_place& at);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/json/certificate_file.ipp>
#endif

#endif
