import type { FieldErrors } from '../kernel/errors.ts'

/** Orders errors as the caller sent their fields. Those of missing fields follow, in their previous order. */
export function orderByInput(errors: ReadonlyMap<string, string>, input: unknown): FieldErrors {
  const sorted = [...errors]
    .map((entry) => ({ entry, positions: positionsOf(entry[0], input) }))
    .toSorted((a, b) => comparePositions(a.positions, b.positions))
  return Object.fromEntries(sorted.map(({ entry }) => entry))
}

/** The position of each step of a path within its parent; infinite for a missing one. */
function positionsOf(path: string, input: unknown): readonly number[] {
  let parent = Object(input)
  const steps = Object.hasOwn(parent, path) ? [path] : (path.match(/[^.[\]]+/g) ?? [])
  return steps.map((step) => {
    const position = Object.keys(parent).indexOf(step)
    parent = Object(parent[step])
    return position === -1 ? Number.POSITIVE_INFINITY : position
  })
}

function comparePositions(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((position, nth) => position !== b[nth])
  if (index === -1) return a.length - b.length
  return a[index]! < (b[index] ?? -1) ? -1 : 1
}
