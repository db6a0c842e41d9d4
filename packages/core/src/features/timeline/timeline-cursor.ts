import * as v from 'valibot'
import { isUuid } from '../../kernel/field-schemas.ts'
import type { Instant } from '../../kernel/instant.ts'
import { parseInstant } from '../../kernel/parse-instant.ts'
import { jsonSchema } from '../../kernel/text-schemas.ts'

/** The place of an entry in a timeline: newer entries are before it, and of one instant those with greater ids. */
export interface TimelinePlace {
  readonly created_at: Instant
  readonly id: string
}

const SEPARATOR = '_'

/** The cursor of the entries after this place. */
export function formatCursor({ created_at, id }: TimelinePlace): string {
  return `${created_at}${SEPARATOR}${id}`
}

/** Negative if `a` is newer than `b`. */
export function comparePlaces(a: TimelinePlace, b: TimelinePlace): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  if (a.id === b.id) return 0
  return a.id < b.id ? 1 : -1
}

export const timelineCursor = v.pipe(
  v.string('Must be text.'),
  v.check((text) => parseCursor(text) !== undefined, 'Must be a next_cursor of this timeline.'),
  jsonSchema({ type: 'string' }),
  v.transform((text) => parseCursor(text)!),
)

function parseCursor(text: string): TimelinePlace | undefined {
  const [at = '', id = '', ...more] = text.split(SEPARATOR)
  const created_at = parseInstant(at)
  return created_at === undefined || !isUuid(id) || more.length > 0 ? undefined : { created_at, id }
}
