"""An independent set, a vertex cover and a clique of one networkx graph, whose nodes have names.

    python3 sets.py [PICTURE.png]
"""

import sys

import matplotlib.pyplot as plt
import networkx as nx

import moco

graph = nx.les_miserables_graph()  # characters of the novel, joined where they meet in a chapter

strangers = moco.mis(graph)
watchers = moco.vertex_cover(graph)
circle = moco.clique(graph)
for result, meaning in ((strangers, "never meet"), (watchers, "see every meeting"), (circle, "all meet each other")):
    note = "optimal" if result.optimal else f"bound {result.instance.value(result.bound):.0f}"
    print(f"{len(result)} characters who {meaning} ({note}): {', '.join(sorted(result.solution)[:4])}, …")

# The nodes come back as networkx has them, ready for its functions.
assert graph.subgraph(strangers.solution).number_of_edges() == 0
assert len(strangers) + len(watchers) == len(graph)

# With weights: how many chapters a character appears in.
nx.set_node_attributes(graph, dict(graph.degree(weight="weight")), "chapters")
busy = moco.mis(graph, weights="chapters")
print(f"weight {busy.value:.0f} instead of {sum(graph.nodes[name]['chapters'] for name in strangers.solution)}")

figure, axes = plt.subplots(1, 3, figsize=(15, 5))
for ax, result in zip(axes, (strangers, watchers, circle)):
    result.plot(ax).set_title(f"{result.instance.problem}: {len(result)} of {len(graph)}")
figure.tight_layout()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=80)
