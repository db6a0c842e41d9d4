import { RESOURCES } from '@sales-crm/core/declarations'
import type { Instant, NewId, Records } from '@sales-crm/core/ports'

export type RecordKind = keyof typeof RESOURCES

export const DAY_MS = 86_400_000
export const YEAR_MS = 365 * DAY_MS

/** Creates a record with a new id. Columns that are not given have the defaults of the kind. */
export function completeRecord<K extends RecordKind>(
  kind: K,
  newId: NewId,
  fields: Partial<Records[K]> & { readonly created_at: Instant },
): Records[K] {
  const { defaults, searchTerms } = RESOURCES[kind] as {
    readonly defaults: object
    readonly searchTerms: ((record: Records[K]) => string) | null
  }
  const { created_at } = fields
  const record = { ...defaults, id: newId(), updated_at: created_at, ...fields } as unknown as Records[K]
  return searchTerms ? { ...record, search_terms: searchTerms(record) } : record
}

export function toInstant(timestamp: number): Instant {
  return new Date(Math.round(timestamp)).toISOString()
}

export function slugify(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}
