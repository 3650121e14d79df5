# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""A back end in Python: Softsign and Sign of float32, slowly. It takes part where it is named."""
import inlay_backend


class SoftsignPython(inlay_backend.Backend):
    kind, refines, version = "softsign_python", "llvm", "1"
    options = [("most", "most elements that it takes, since each costs a microsecond", inlay_backend.OPTION_INT, "65536")]
    patterns = [("softsign", "onnx.Softsign"), ("sign", "onnx.Sign")]

    def configure(self, values):
        self.most = int(values.get("most", 65536))

    def read(self, composite, region):
        kind = region.result().type
        if kind.element != inlay_backend.FLOAT32 or region.input_count != 1:
            raise inlay_backend.Refusal("it takes one tensor of float32 that is no constant")
        if kind.count > self.most:
            raise inlay_backend.Refusal(f"it takes {self.most} elements at most, and here are {kind.count}")
        return composite

    def run(self, plan, inputs, results):
        for i, x in enumerate(inputs[0]):
            results[0][i] = x / (1 + abs(x)) if plan == 0 else (x > 0) - (x < 0)


inlay_backend.export(SoftsignPython)
