import type { ColumnKind, Instant, Transaction } from '@sales-crm/core/ports'
import { type Context, newId } from './case.ts'
import { OWN, type Place, type Row, write } from './places.ts'

const START = Date.UTC(2026, 2, 1, 12)

/** An instant so many milliseconds after noon of 1 March 2026. */
export function instant(milliseconds: number): Instant {
  return new Date(START + milliseconds).toISOString()
}

/**
 * A record ready to be inserted: what it refers to is inserted here, one new record for each reference. Two of a different
 * `nth` (from 1) differ in every field.
 */
export async function sample(tx: Transaction, place: Place, workspace: string, nth = 1, above: readonly Place[] = []): Promise<Row> {
  const row: Record<string, unknown> = {}
  for (const [field, kind] of Object.entries(place.columns)) {
    const target = OWN.find(({ name }) => name === place.refersTo[field])
    if (target) row[field] = await inserted(tx, target, workspace, [...above, place])
    else row[field] = isDistinct(place, field) ? distinct(`${field}-${nth}`) : plainValue(kind, field, nth)
  }
  return { id: newId(), created_at: instant(nth), updated_at: instant(nth + 1), ...row }
}

/** A committed record. What `changes` sets, references included, replaces the sample's. */
export function planted(context: Pick<Context, 'storage' | 'workspace'>, place: Place, changes: object = {}, nth = 1): Promise<Row> {
  return write(context, place, async (store, tx) => {
    const row: Row = { ...(await sample(tx, place, context.workspace, nth)), ...changes }
    await store.insert(row)
    return row
  })
}

/** Another record with the same values, but for its id and the values no two records share. */
export function another(place: Place, row: Row, changes: object = {}): Row {
  const fresh = Object.fromEntries([...place.unique, ...place.neverReused].map((field) => [field, distinct(field)]))
  return { ...row, ...fresh, id: newId(), ...changes }
}

/** Every field that may be null is. */
export function emptied(place: Place, row: Row): Row {
  return { ...row, ...Object.fromEntries(place.nullable.map((field) => [field, null])) }
}

export function isDistinct(place: Place, field: string): boolean {
  return place.unique.includes(field) || place.neverReused.includes(field)
}

/** Text that no other record has. The tab keeps it in the order of `text`, for it comes before all that tests order by. */
export function distinct(text: string): string {
  return `${text}\t${newId()}`
}

export function fieldsOf(place: Place, kind: ColumnKind): string[] {
  return Object.keys(place.columns).filter((field) => place.columns[field] === kind)
}

/** Null for a collection that is being made already: only references that go round lead there. */
async function inserted(tx: Transaction, target: Place, workspace: string, above: readonly Place[]): Promise<string | null> {
  if (above.includes(target)) return null
  const row = await sample(tx, target, workspace, 1, above)
  await target.storeIn(tx, workspace).insert(row)
  return row.id
}

function plainValue(kind: ColumnKind, field: string, nth: number): unknown {
  switch (kind) {
    case 'uuid':
      return newId()
    case 'text':
      return `${field} ${nth}`
    case 'integer':
      return nth * 10
    case 'boolean':
      return nth % 2 === 0
    case 'instant':
      return instant(nth * 1000)
    case 'json':
      return { [field]: [nth] }
    case 'words':
      return `${field}_${nth} shared _mark_${nth}`
  }
}
