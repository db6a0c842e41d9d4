import type { FieldErrors } from '../kernel/errors.ts'

/** Orders errors as the caller sent their fields. Those of missing fields follow, in their previous order. */
export function orderByInput(errors: ReadonlyMap<string, string>, input: unknown): FieldErrors {
  const positions = new Positions()
  const sorted = [...errors]
    .map((entry) => ({ entry, positions: positions.ofPath(entry[0], input) }))
    .toSorted((a, b) => comparePositions(a.positions, b.positions))
  return Object.fromEntries(sorted.map(({ entry }) => entry))
}

/** Numbers the fields of each object once: a hundred errors may be about one object with thousands of fields. */
class Positions {
  readonly #byParent = new Map<object, ReadonlyMap<string, number>>()

  /** The position of each step of a path within its parent; infinite for a missing one. */
  ofPath(path: string, input: unknown): readonly number[] {
    let parent = Object(input)
    const steps = Object.hasOwn(parent, path) ? [path] : (path.match(/[^.[\]]+/g) ?? [])
    return steps.map((step) => {
      const position = this.#within(parent).get(step)
      parent = Object(parent[step])
      return position ?? Number.POSITIVE_INFINITY
    })
  }

  #within(parent: object): ReadonlyMap<string, number> {
    let positions = this.#byParent.get(parent)
    if (!positions) {
      positions = new Map(Object.keys(parent).map((name, index) => [name, index]))
      this.#byParent.set(parent, positions)
    }
    return positions
  }
}

function comparePositions(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((position, nth) => position !== b[nth])
  if (index === -1) return a.length - b.length
  return a[index]! < (b[index] ?? -1) ? -1 : 1
}
