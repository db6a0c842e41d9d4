import type { ColumnKind, Instant, Transaction } from '@sales-crm/core/ports'
import { type Context, newId } from './case.ts'
import { type CollectionSpec, type Row, WORKSPACE_COLLECTIONS, write } from './collections.ts'

const NOON = Date.UTC(2026, 2, 1, 12)

/** Returns an instant in milliseconds after noon (UTC) on 1 March 2026. */
export function instant(milliseconds: number): Instant {
  return new Date(NOON + milliseconds).toISOString()
}

/**
 * Builds a record for insertion and inserts a new record for each of its references. Records of different
 * `nth` (from 1) differ in every field.
 */
export async function buildRow(
  tx: Transaction,
  spec: CollectionSpec,
  workspace: string,
  nth = 1,
  ancestors: readonly CollectionSpec[] = [],
): Promise<Row> {
  const row: Record<string, unknown> = {}
  for (const [field, kind] of Object.entries(spec.columns)) {
    const target = WORKSPACE_COLLECTIONS.find(({ name }) => name === spec.foreignKeys[field])
    if (target) row[field] = await insertReferenced(tx, target, workspace, [...ancestors, spec])
    else
      row[field] = isUniqueField(spec, field) ? uniqueText(`${field}-${nth}`) : sampleValue(kind, field, nth)
  }
  return { id: newId(), created_at: instant(nth), updated_at: instant(nth + 1), ...row }
}

/** Commits a sample record. `changes` override its fields, references included. */
export function insertRow(
  context: Pick<Context, 'storage' | 'workspace'>,
  spec: CollectionSpec,
  changes: object = {},
  nth = 1,
): Promise<Row> {
  return write(context, spec, async (store, tx) => {
    const row: Row = { ...(await buildRow(tx, spec, context.workspace, nth)), ...changes }
    await store.insert(row)
    return row
  })
}

/** Copies a record with a new id and new unique values. */
export function cloneRow(spec: CollectionSpec, row: Row, changes: object = {}): Row {
  const uniqueValues = Object.fromEntries(
    [...spec.unique, ...spec.uniqueForever].map((field) => [field, uniqueText(field)]),
  )
  return { ...row, ...uniqueValues, id: newId(), ...changes }
}

/** Sets every nullable field to null. */
export function withNulls(spec: CollectionSpec, row: Row): Row {
  return { ...row, ...Object.fromEntries(spec.nullable.map((field) => [field, null])) }
}

export function isUniqueField(spec: CollectionSpec, field: string): boolean {
  return spec.unique.includes(field) || spec.uniqueForever.includes(field)
}

/** Makes a text unique. The tab precedes every character that tests sort by, so `text` keeps its order. */
export function uniqueText(text: string): string {
  return `${text}\t${newId()}`
}

export function fieldsOfKind(spec: CollectionSpec, kind: ColumnKind): string[] {
  return Object.keys(spec.columns).filter((field) => spec.columns[field] === kind)
}

/** Returns null for a collection in `ancestors`: only circular references reach it. */
async function insertReferenced(
  tx: Transaction,
  target: CollectionSpec,
  workspace: string,
  ancestors: readonly CollectionSpec[],
): Promise<string | null> {
  if (ancestors.includes(target)) return null
  const row = await buildRow(tx, target, workspace, 1, ancestors)
  await target.storeIn(tx, workspace).insert(row)
  return row.id
}

function sampleValue(kind: ColumnKind, field: string, nth: number): unknown {
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
    case 'terms':
      return `${field}_${nth} shared _mark_${nth}`
  }
}
