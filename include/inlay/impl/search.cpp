// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/live_bytes.ipp>
#include <inlay/search/constrained/minimise_largest.ipp>
#include <inlay/search/constrained/pareto.ipp>
#include <inlay/search/constrained/select_constrained.ipp>
#include <inlay/search/exact/exact.ipp>
#include <inlay/search/exhaustive.ipp>
#include <inlay/search/problem_under.ipp>
#include <inlay/search/proof/certify.ipp>
#include <inlay/search/proof/verify_certificate.ipp>
#include <inlay/search/proof/verify_cover.ipp>
#include <inlay/search/regret.ipp>
#include <inlay/search/select.ipp>
#include <inlay/search/select_among.ipp>
