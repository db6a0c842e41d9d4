import type * as v from 'valibot'
import { type SchemaNode, unwrapSchema } from './unwrap-schema.ts'

/** A field as described to a model. */
export interface FieldDescription {
  readonly name: string
  readonly type: string
  readonly required?: true
  /** Null empties the field or resets it to its default. */
  readonly null_clears?: true
  readonly options?: readonly string[]
  readonly rules?: readonly string[]
  /** Fields of the object, or of the objects in the array. */
  readonly fields?: readonly FieldDescription[]
}

/** Rules that apply to all text, and so say nothing about a single field. */
const GENERIC_RULES = new Set([
  'Required.',
  'Must be valid Unicode text.',
  'Must have a visible character.',
  'Must not contain control characters.',
  'Must not contain the null character.',
])

/** Describes the fields from their schemas, with the schemas' messages as rules. */
export function describeFields(entries: v.ObjectEntries): readonly FieldDescription[] {
  return Object.entries(entries).map(([name, schema]) => describeField(name, schema as v.GenericSchema))
}

function describeField(name: string, schema: v.GenericSchema): FieldDescription {
  const { optional, nullable, innermost, rules } = unwrapSchema(schema)
  const item = innermost.item && unwrapSchema(innermost.item)
  const { type, options } = item?.innermost ?? innermost
  const entries = innermost.entries ?? item?.innermost.entries
  const allRules = [
    ...specificRules(rules),
    ...specificRules(item?.rules ?? []).map((rule) => `Each: ${rule}`),
  ]
  return {
    name,
    type: typeOf(innermost),
    ...(!optional && { required: true }),
    ...(nullable && { null_clears: true }),
    ...(type === 'picklist' && { options: (options ?? []).map(String) }),
    ...(allRules.length > 0 && { rules: allRules }),
    ...(entries && { fields: describeFields(entries) }),
  }
}

/** Describes the fields of creations and updates. A field that is equal in both is described once. */
export function describeRecord(create: v.ObjectEntries, update: v.ObjectEntries) {
  const updateFields = new Map(describeFields(update).map((field) => [field.name, field]))
  const createFields = describeFields(create).map(({ null_clears, ...field }) => {
    const updateField = updateFields.get(field.name)
    updateFields.delete(field.name)
    if (!updateField) return { ...field, only: 'create' }
    const { null_clears: nullClears, required, ...rest } = updateField
    const { required: isRequired, ...createRest } = field
    const isDifferent = JSON.stringify(rest) !== JSON.stringify(createRest)
    return {
      ...field,
      ...(nullClears && { null_clears: nullClears }),
      ...(isDifferent && { on_update: rest }),
    }
  })
  return [...createFields, ...[...updateFields.values()].map((field) => ({ ...field, only: 'update' }))]
}

function specificRules(rules: readonly string[]): readonly string[] {
  return [...new Set(rules)].filter((rule) => !GENERIC_RULES.has(rule))
}

function typeOf({ type, message }: SchemaNode): string {
  if (type === 'picklist') return 'string'
  if (type === 'unknown') return 'any'
  return type === 'union' && typeof message === 'string' ? message : type
}
