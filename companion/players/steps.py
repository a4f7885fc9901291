"""How far it is from spot to spot, where spots are numbers with neighbours."""

from collections.abc import Iterable, Sequence

FAR = 99  # there is no way


def steps_between(neighbours: Sequence[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    """Return how many steps it is from each spot to each other one."""
    around = [tuple(near) for near in neighbours]
    rows = []
    for start in range(len(around)):
        row = [FAR] * len(around)
        row[start], edge = 0, [start]
        for here in edge:
            for there in around[here]:
                if row[there] == FAR:
                    row[there] = row[here] + 1
                    edge.append(there)
        rows.append(tuple(row))
    return tuple(rows)
