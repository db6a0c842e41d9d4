import type { LostReason } from '../../schema/lost-reason.ts'

type Placed = Pick<LostReason, 'position' | 'created_at'>

/** The reasons in their order. */
export function sortReasons<R extends Placed>(reasons: readonly R[]): readonly R[] {
  return reasons.toSorted(
    (a, b) =>
      a.position - b.position || (a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at)),
  )
}

/**
 * Returns those of the reasons whose position changes, with their new ones, so that all positions follow each other
 * from 0 and leave out `free`.
 */
export function placeReasons<R extends Placed>(reasons: readonly R[], free?: number): readonly R[] {
  return sortReasons(reasons).flatMap((reason, index) => {
    const position = free === undefined || index < free ? index : index + 1
    return position === reason.position ? [] : [{ ...reason, position }]
  })
}
