// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/compare_samples.ipp>
#include <inlay/measure/evaluate_stepwise.ipp>
#include <inlay/measure/kernel_check.ipp>
#include <inlay/measure/rewrite_check.ipp>
#include <inlay/ops/sample/evaluate_samples.ipp>
