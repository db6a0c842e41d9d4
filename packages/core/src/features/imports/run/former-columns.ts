import type { RecordBase } from '../../../kernel/record.ts'

/** The columns that an update has changed, as they were. */
export function findFormerColumns(before: RecordBase, after: RecordBase): Readonly<Record<string, unknown>> {
  const now = after as object as Readonly<Record<string, unknown>>
  const changed = Object.entries(before).filter(
    ([name, value]) =>
      name !== 'updated_at' && name !== 'search_terms' && JSON.stringify(value) !== JSON.stringify(now[name]),
  )
  return Object.fromEntries(changed)
}
