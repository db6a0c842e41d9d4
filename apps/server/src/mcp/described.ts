import type * as v from 'valibot'
import { insideOf, type Walkable } from './schemas.ts'

/** A field as a model is told of it. */
export interface Described {
  readonly name: string
  readonly type: string
  readonly required?: true
  /** Whether null empties the field, or sets it back. */
  readonly null_clears?: true
  readonly options?: readonly string[]
  readonly rules?: readonly string[]
  /** Of an object, or of the objects an array holds. */
  readonly fields?: readonly Described[]
}

/** They hold for all text, and say nothing of the one field. */
const COMMONPLACE = new Set([
  'Required.',
  'Must be valid Unicode text.',
  'Must not contain control characters.',
  'Must not contain the null character.',
])

/** What may be sent in each field, told by the schemas that judge it, in their own words. */
export function describedFields(entries: v.ObjectEntries): readonly Described[] {
  return Object.entries(entries).map(([name, schema]) => describedField(name, schema as v.GenericSchema))
}

function describedField(name: string, schema: v.GenericSchema): Described {
  const { optional, nullable, innermost, rules } = insideOf(schema)
  const item = innermost.item && insideOf(innermost.item)
  const { type, options } = item?.innermost ?? innermost
  const entries = innermost.entries ?? item?.innermost.entries
  const all = [...tellingOf(rules), ...tellingOf(item?.rules ?? []).map((rule) => `Each: ${rule}`)]
  return {
    name,
    type: typeOf(innermost),
    ...(!optional && { required: true }),
    ...(nullable && { null_clears: true }),
    ...(type === 'picklist' && { options: (options ?? []).map(String) }),
    ...(all.length > 0 && { rules: all }),
    ...(entries && { fields: describedFields(entries) }),
  }
}

/** What a record is made of, and what changes it: told once where that is the same. */
export function describedRecord(create: v.ObjectEntries, update: v.ObjectEntries) {
  const later = new Map(describedFields(update).map((field) => [field.name, field]))
  const made = describedFields(create).map(({ null_clears, ...field }) => {
    const changed = later.get(field.name)
    later.delete(field.name)
    if (!changed) return { ...field, only: 'create' }
    const { null_clears: clears, required, ...rest } = changed
    const { required: needed, ...same } = field
    const differs = JSON.stringify(rest) !== JSON.stringify(same)
    return { ...field, ...(clears && { null_clears: clears }), ...(differs && { on_update: rest }) }
  })
  return [...made, ...[...later.values()].map((field) => ({ ...field, only: 'update' }))]
}

function tellingOf(rules: readonly string[]): readonly string[] {
  return [...new Set(rules)].filter((rule) => !COMMONPLACE.has(rule))
}

function typeOf({ type, message }: Walkable): string {
  if (type === 'picklist') return 'string'
  if (type === 'unknown') return 'any'
  return type === 'union' && typeof message === 'string' ? message : type
}
