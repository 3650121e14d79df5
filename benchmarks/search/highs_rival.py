# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""HiGHS on a search instance: set partitioning with prices of conversions, and cuts for cycles between parts as covers show them.

    python3 -m venv build/highs && build/highs/bin/pip install highspy
    build/highs/bin/python benchmarks/search/highs_rival.py INSTANCE.json [SECONDS]

Prints one line of JSON: the optimum, the seconds from the instance in memory to its proof, the rounds until no cycle was left, the cuts, and
the candidates chosen; `"proved": false` where the seconds did not suffice.

Variables: one binary for each candidate; where conversions are shared, one for each tensor and format that it is turned into, else one for
each reader, format given and format wanted. A cover with a cycle between parts gives cuts: of the parts on a cycle not all can be chosen.
Each part of a cut is widened by all candidates that close the same cycle: those that contain both the node at which the cycle enters the
part and the one at which it leaves. A round solves the whole program; its answer gives the cuts of the next. `relaxed` is the value of the
first round's relaxation. One thread.
"""
import json
import sys
import time

import highspy
import numpy


class Program:
    def __init__(self, problem):
        self.problem = problem
        self.nodes = problem["nodes"]
        self.candidates = problem["candidates"]
        self.users = [[] for _ in range(self.nodes)]
        self.producers = [[] for _ in range(self.nodes)]
        for u, v in problem["edges"]:
            self.users[u].append(v)
            self.producers[v].append(u)
        self.sets = [frozenset(c["nodes"]) for c in self.candidates]
        self.covering = [[] for _ in range(self.nodes)]
        for c, nodes in enumerate(self.sets):
            for v in nodes:
                self.covering[v].append(c)
        self.reads = [dict(c.get("in_of", [])) for c in self.candidates]
        self.gives = [dict(c.get("out_of", [])) for c in self.candidates]
        self.costs = [c["cost"] for c in self.candidates]
        self.rows = []
        for v in range(self.nodes):
            self.rows.append((1.0, 1.0, [(c, 1.0) for c in self.covering[v]]))
        for u in range(self.nodes):
            self.add_tensor(u)

    def read_format(self, c, u):
        return self.reads[c].get(u, self.candidates[c]["in"])

    def given_format(self, c, u):
        return self.gives[c].get(u, self.candidates[c]["out"])

    def add_tensor(self, u):
        if not self.users[u]:
            return
        formats = range(self.problem["formats"])
        tables = self.problem["conversions"]
        table = tables.get("of_node", {}).get(str(u), tables["default"])
        makers = [[] for _ in formats]
        for c in self.covering[u]:
            makers[self.given_format(c, u)].append(c)
        shared = self.problem.get("share_conversions", True)
        bought = {}

        def price_of(f, g):
            return None if f == g or not makers[f] else table[f][g]

        if shared:
            for f in formats:
                for g in formats:
                    if price_of(f, g) is None:
                        continue
                    bought[f, g] = self.variable(price_of(f, g))
                    self.rows.append((-highspy.kHighsInf, 0.0, [(bought[f, g], 1.0)] + [(c, -1.0) for c in makers[f]]))
            for v in self.users[u]:
                for g in formats:
                    wanting = [d for d in self.covering[v] if u not in self.sets[d] and self.read_format(d, u) == g]
                    if not wanting:
                        continue
                    row = [(d, 1.0) for d in wanting] + [(c, -1.0) for c in makers[g]]
                    row += [(bought[f, g], -1.0) for f in formats if (f, g) in bought]
                    self.rows.append((-highspy.kHighsInf, 0.0, row))
            return
        done = set()
        for v in self.users[u]:
            # A part that reads the tensor at several nodes pays once.
            paying = [d for d in self.covering[v] if u not in self.sets[d] and not any(w in self.sets[d] for w in done)]
            done.add(v)
            flows = {}
            for f in formats:
                for g in formats:
                    if makers[f] and any(self.read_format(d, u) == g for d in paying) and table[f][g] is not None:
                        flows[f, g] = self.variable(table[f][g])
            for g in formats:
                wanting = [d for d in paying if self.read_format(d, u) == g]
                if wanting:
                    self.rows.append((0.0, 0.0, [(d, 1.0) for d in wanting] + [(flows[f, g], -1.0) for f in formats if (f, g) in flows]))
            for f in formats:
                out = [(flows[f, g], 1.0) for g in formats if (f, g) in flows]
                if out:
                    self.rows.append((-highspy.kHighsInf, 0.0, out + [(c, -1.0) for c in makers[f]]))

    def variable(self, price):
        self.costs.append(price)
        return len(self.costs) - 1

    def model(self):
        lp = highspy.HighsLp()
        lp.num_col_ = len(self.costs)
        lp.num_row_ = len(self.rows)
        lp.col_cost_ = numpy.array(self.costs, dtype=float)
        lp.col_lower_ = numpy.zeros(lp.num_col_)
        lp.col_upper_ = numpy.ones(lp.num_col_)
        lp.row_lower_ = numpy.array([r[0] for r in self.rows])
        lp.row_upper_ = numpy.array([r[1] for r in self.rows])
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        starts = numpy.cumsum([0] + [len(r[2]) for r in self.rows])
        lp.a_matrix_.start_ = starts
        lp.a_matrix_.index_ = numpy.array([c for r in self.rows for c, _ in r[2]])
        lp.a_matrix_.value_ = numpy.array([x for r in self.rows for _, x in r[2]])
        return lp

    def cuts_of(self, chosen):
        """Cuts for shortest cycles between chosen parts, one through each part that is on one."""
        part = {}
        for c in chosen:
            for v in self.sets[c]:
                part[v] = c
        cuts = set()
        for start in chosen:
            if len(self.sets[start]) == 1:
                continue
            # Breadth first over parts; how each was entered: the edge u -> v.
            entered = {}
            queue = [start]
            closing = None
            for at in queue:
                for u in self.sets[at]:
                    for v in self.users[u]:
                        to = part[v]
                        if to == at:
                            continue
                        if to == start:
                            closing = (u, v)
                            break
                        if to not in entered:
                            entered[to] = (u, v)
                            queue.append(to)
                    if closing:
                        break
                if closing:
                    break
            if not closing:
                continue
            edges = [closing]
            at = part[closing[0]]
            while at != start:
                edges.append(entered[at])
                at = part[entered[at][0]]
            edges.reverse()
            # The part between one edge and the next is entered at one node and left at another.
            ends = []
            for i, (u, v) in enumerate(edges):
                enter, leave = v, edges[(i + 1) % len(edges)][0]
                if enter != leave and not self.reaches(enter, leave):
                    ends.append((enter, leave))
            if len(ends) > 1:
                cuts.add(tuple(sorted(set(ends))))
        made = []
        for ends in cuts:
            row = []
            for enter, leave in ends:
                # One that joins two stretches of the cycle may have all of it inside.
                joining = [c for c in self.covering[enter] if leave in self.sets[c]]
                row += [(c, 1.0) for c in joining if sum(e in self.sets[c] and l in self.sets[c] for e, l in ends) == 1]
            made.append((-highspy.kHighsInf, len(ends) - 1.0, row))
        return made

    def reaches(self, u, v):
        seen = {u}
        stack = [u]
        while stack:
            for w in self.users[stack.pop()]:
                if w == v:
                    return True
                if w < v and w not in seen:
                    seen.add(w)
                    stack.append(w)
        return False


def main():
    with open(sys.argv[1]) as file:
        problem = json.load(file)
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    begin = time.perf_counter()
    program = Program(problem)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 1e-9)
    solver.passModel(program.model())
    solver.run()
    relaxed = solver.getObjectiveValue()
    for c in range(len(program.candidates)):
        solver.changeColIntegrality(c, highspy.HighsVarType.kInteger)
    rounds = 0
    cuts = 0
    answer = {"proved": False}
    while time.perf_counter() - begin < seconds:
        rounds += 1
        solver.setOptionValue("time_limit", solver.getRunTime() + seconds - (time.perf_counter() - begin))
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            break
        value = solver.getSolution().col_value
        chosen = [c for c in range(len(program.candidates)) if value[c] > 0.5]
        found = program.cuts_of(chosen) if problem.get("acyclic", True) else []
        if not found:
            answer = {"proved": True, "cost": solver.getObjectiveValue(), "chosen": chosen}
            break
        cuts += len(found)
        for low, high, row in found:
            solver.addRow(low, high, len(row), numpy.array([c for c, _ in row], dtype=numpy.int32), numpy.array([x for _, x in row]))
    answer.update({"seconds": round(time.perf_counter() - begin, 3), "rounds": rounds, "cuts": cuts, "relaxed": relaxed})
    print(json.dumps(answer))


main()
