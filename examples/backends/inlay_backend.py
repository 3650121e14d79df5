# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Back ends of inlay in Python: the structs of `inlay/backend/plugin/backend_abi.h` by ctypes, and the table made of a class.

A script defines a subclass of `Backend` and ends with `export(ItsClass)`. Its kernels get their tensors as memoryviews of the element type.
"""
import ctypes as c
import runpy

VERSION = 1
YES, NO, FAILED = 0, 1, 2
INPUT, CONSTANT, CALL, PROJECTION, ABSENT = range(5)
ELEMENTS = {3: "f", 4: "d", 5: "b", 6: "h", 7: "i", 8: "q", 9: "B", 10: "H", 11: "I", 12: "Q", 13: "?"}
FLOAT32 = 3
OPTION_BOOL, OPTION_INT, OPTION_FLOAT, OPTION_STRING = range(4)


class Text(c.Structure):
    _fields_ = [("data", c.c_char_p), ("size", c.c_size_t)]

    def __str__(self):
        return c.string_at(self.data, self.size).decode() if self.size else ""


class Reply(c.Structure):
    _fields_ = [("to", c.c_void_p), ("say", c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_size_t))]

    def __call__(self, text):
        data = str(text).encode()
        self.say(self.to, data, len(data))


class TensorType(c.Structure):
    _fields_ = [("element", c.c_uint32), ("rank", c.c_uint32), ("extents", c.POINTER(c.c_int64))]

    @property
    def shape(self):
        return [self.extents[i] for i in range(self.rank)]

    @property
    def count(self):
        product = 1
        for extent in self.shape:
            product *= extent
        return product


class Attribute(c.Structure):
    _fields_ = [("name", Text), ("kind", c.c_uint32), ("count", c.c_uint32), ("values", c.c_void_p)]

    @property
    def value(self):
        as_list = {0: c.c_int64, 1: c.c_double, 2: Text, 3: c.c_int64, 4: c.c_double, 5: Text}.get(self.kind)
        if as_list is None:
            return None  # a tensor
        found = [v if not isinstance(v, Text) else str(v) for v in c.cast(self.values, c.POINTER(as_list))[: self.count]]
        return found if self.kind > 2 else found[0]


class Value(c.Structure):
    _fields_ = [("role", c.c_uint32), ("field", c.c_uint32), ("is_tuple", c.c_uint32), ("op", Text), ("operands", c.POINTER(c.c_uint32)),
                ("operand_count", c.c_size_t), ("attributes", c.POINTER(Attribute)), ("attribute_count", c.c_size_t),
                ("types", c.POINTER(TensorType)), ("type_count", c.c_size_t), ("data", c.c_void_p), ("bytes", c.c_size_t)]

    @property
    def type(self):
        return self.types[0]

    def attribute(self, name, otherwise):
        for i in range(self.attribute_count):
            if str(self.attributes[i].name) == name:
                return self.attributes[i].value
        return otherwise


class Region(c.Structure):
    _fields_ = [("size", c.c_size_t), ("values", c.POINTER(Value)), ("value_count", c.c_size_t), ("input_count", c.c_size_t),
                ("constant_count", c.c_size_t), ("results", c.POINTER(c.c_uint32)), ("result_count", c.c_size_t)]

    def result(self, i=0):
        return self.values[self.results[i]]


class Executor(c.Structure):
    _fields_ = [("size", c.c_size_t), ("threads", c.c_size_t), ("pool", c.c_void_p), ("run", c.c_void_p)]


class Run(c.Structure):
    _fields_ = [("size", c.c_size_t), ("inputs", c.POINTER(c.c_void_p)), ("results", c.POINTER(c.c_void_p)), ("workspace", c.c_void_p),
                ("executor", c.POINTER(Executor))]


RUN = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(Run))
RELEASE = c.CFUNCTYPE(None, c.c_void_p)


class Kernel(c.Structure):
    _fields_ = [("size", c.c_size_t), ("state", c.c_void_p), ("run", RUN), ("release", RELEASE), ("workspace_bytes", c.c_size_t)]


class Option(c.Structure):
    _fields_ = [("name", Text), ("doc", Text), ("otherwise", Text), ("type", c.c_uint32), ("least", c.c_int64), ("most", c.c_int64)]


class OptionValue(c.Structure):
    _fields_ = [("name", Text), ("value", Text)]


class Composite(c.Structure):
    _fields_ = [("name", Text), ("pattern", Text), ("makes_own_code", c.c_uint32)]


OPEN = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(OptionValue), c.c_size_t, c.POINTER(c.c_void_p), Reply)
CLOSE = c.CFUNCTYPE(None, c.c_void_p)
DESCRIBE = c.CFUNCTYPE(None, c.c_void_p, Reply)
USABLE = c.CFUNCTYPE(c.c_int, c.c_void_p, Reply)
READ = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_uint32, c.POINTER(Region), c.POINTER(c.c_uint32), c.c_size_t, c.POINTER(c.c_void_p), Reply)
RELEASE_PLAN = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)
EMIT = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, c.c_void_p, c.POINTER(Kernel), Reply)


class Table(c.Structure):
    _fields_ = [("size", c.c_size_t), ("version", c.c_uint32), ("device", c.c_uint32), ("kind", Text), ("refines", Text),
                ("by_name_only", c.c_uint32), ("options", c.POINTER(Option)), ("option_count", c.c_size_t),
                ("composites", c.POINTER(Composite)), ("composite_count", c.c_size_t), ("open", OPEN), ("close", CLOSE),
                ("describe", DESCRIBE), ("usable", USABLE), ("read", READ), ("release", RELEASE_PLAN), ("formats", c.c_void_p),
                ("price", c.c_void_p), ("lower_bound", c.c_void_p), ("emit", EMIT), ("emit_c", c.c_void_p)]


class Refusal(Exception):
    """What a back end raises that does not take something: its text is the reason."""


class Backend:
    """A back end: what a subclass says of itself, and does."""

    kind = refines = ""
    version = "1"
    by_name_only = True
    options = []  # (name, doc, type, default as text)
    patterns = []  # (name, pattern)

    def configure(self, values):
        """Takes the options that were set, as texts by name."""

    def read(self, composite, region):
        """What is kept of a match: any object. Raises Refusal."""
        raise NotImplementedError

    def run(self, plan, inputs, results):
        """Computes results from inputs, lists of memoryviews with an element for each of the tensor's."""
        raise NotImplementedError


class Handles:
    """Objects that C knows by number; numbers begin at 1, since 0 is null."""

    def __init__(self):
        self.kept, self.next = {}, 1

    def add(self, what):
        self.next += 1
        self.kept[self.next - 1] = what
        return self.next - 1

    def __getitem__(self, number):
        return self.kept[number]

    def drop(self, number):
        self.kept.pop(number, None)


kept_alive = []  # what C points to, as long as the process lives


def text(of):
    data = of.encode()
    kept_alive.append(data)
    return Text(data, len(data))


def table_of(backend_class):
    instances, plans, kernels = Handles(), Handles(), Handles()

    def answering(why, call):
        try:
            call()
            return YES
        except Refusal as no:
            why(no)
            return NO
        except Exception as broken:
            why(f"{type(broken).__name__}: {broken}")
            return FAILED

    @OPEN
    def open_instance(table, values, count, made, why):
        def call():
            one = backend_class()
            one.configure({str(values[i].name): str(values[i].value) for i in range(count)})
            made[0] = instances.add(one)
        return answering(why, call)

    @CLOSE
    def close(instance):
        instances.drop(instance)

    @DESCRIBE
    def describe(instance, version):
        version(instances[instance].version)

    @READ
    def read(instance, composite, region, captures, count, plan, why):
        def call():
            seen = region.contents
            kept = instances[instance].read(composite, seen)
            types = [(v.type.element, v.type.count) for v in [seen.values[i] for i in range(seen.input_count)]]
            made = [(seen.result(i).type.element, seen.result(i).type.count) for i in range(seen.result_count)]
            plan[0] = plans.add((kept, types, made))
        return answering(why, call)

    @RELEASE_PLAN
    def release(instance, plan):
        plans.drop(plan)

    def views(of, types):
        return [memoryview((c.c_char * (count * c.sizeof(SIZES[element]))).from_address(of[i])).cast("B").cast(ELEMENTS[element])
                for i, (element, count) in enumerate(types)]

    @RUN
    def run(state, how):
        try:
            one, (kept, types, made) = kernels[state]
            one.run(kept, views(how.contents.inputs, types), views(how.contents.results, made))
            return 0
        except Exception as broken:
            print(f"inlay: back end '{backend_class.kind}': {type(broken).__name__}: {broken}")
            return 1

    @RELEASE
    def release_kernel(state):
        kernels.drop(state)

    @EMIT
    def emit(instance, plan, borders, made, why):
        made.contents.state = kernels.add((instances[instance], plans[plan]))
        made.contents.run, made.contents.release, made.contents.workspace_bytes = run, release_kernel, 0
        return YES

    options = (Option * max(len(backend_class.options), 1))(
        *[Option(text(name), text(doc), text(otherwise), kind, -2**63, 2**63 - 1) for name, doc, kind, otherwise in backend_class.options])
    composites = (Composite * len(backend_class.patterns))(*[Composite(text(name), text(pattern), 0) for name, pattern in backend_class.patterns])
    table = Table(size=c.sizeof(Table), version=VERSION, device=0, kind=text(backend_class.kind), refines=text(backend_class.refines),
                  by_name_only=backend_class.by_name_only, options=options, option_count=len(backend_class.options), composites=composites,
                  composite_count=len(backend_class.patterns), open=open_instance, close=close, describe=describe, read=read, release=release,
                  emit=emit)
    kept_alive.extend([options, composites, table, open_instance, close, describe, read, release, run, release_kernel, emit])
    return table


SIZES = {3: c.c_float, 4: c.c_double, 5: c.c_int8, 6: c.c_int16, 7: c.c_int32, 8: c.c_int64, 9: c.c_uint8, 10: c.c_uint16, 11: c.c_uint32,
         12: c.c_uint64, 13: c.c_bool}

exported = None


def export(backend_class):
    global exported
    exported = table_of(backend_class)


def run_script(path, place):
    """Runs a script and puts the address of the table that it exports at a place in memory."""
    global exported
    exported = None
    runpy.run_path(path)
    if exported is None:
        raise RuntimeError(f"{path} exports no back end; let it end with `inlay_backend.export(ItsClass)`")
    c.c_void_p.from_address(place).value = c.addressof(exported)
