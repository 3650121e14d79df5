// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay_to_onnx.hpp>

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <inlay/codegen/backend_list.hpp>
#include <inlay/ir/text.hpp>
#include <inlay/ops/arithmetic.hpp>
#include <inlay/ops/convolution.hpp>
#include <inlay/ops/joining.hpp>
#include <inlay/ops/math.hpp>
#include <inlay/ops/matrix_product.hpp>
#include <inlay/ops/normalise.hpp>
#include <inlay/ops/normalization.hpp>
#include <inlay/ops/op_table.hpp>
#include <inlay/ops/pooling.hpp>
#include <inlay/ops/reshaping.hpp>
#include <inlay/ops/slicing.hpp>
#include <inlay/ops/softmax.hpp>
#include <inlay/ops/transposition.hpp>
#include <inlay/pipeline.hpp>

#include "../partition/toy_backends.hpp"
#include "relay_program.hpp"
#include "sample_program.hpp"

using namespace inlay;
using namespace inlay_test;
