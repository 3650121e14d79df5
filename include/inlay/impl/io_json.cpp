// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/certificate_file.ipp>
#include <inlay/io/json/constraint_file.ipp>
#include <inlay/io/json/cost_table_file.ipp>
#include <inlay/io/json/plan_file.ipp>
#include <inlay/io/json/search_instance.ipp>
#include <inlay/io/json/target_argument.ipp>
