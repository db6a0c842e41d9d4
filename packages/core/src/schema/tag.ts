import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A tag, as `crm.tags` returns it and as people, companies and deals embed it. */
export interface Tag extends RecordBase {
  readonly updated_at: Instant
  /** Unique in the workspace; names the tag instead of its id. A deleted tag frees its key. */
  readonly key: string
  readonly name: string
  /** `#rrggbb` in lower case. */
  readonly color: string
}

export const tagShape = {
  columns: { key: 'text', name: 'text', color: 'text' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const
