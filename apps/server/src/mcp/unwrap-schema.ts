import type * as v from 'valibot'
import { formatValidNames } from './valid-names.ts'

/** A schema as a walker sees it: wrappers, pipes, arrays and objects show their inside under these names. */
export interface SchemaNode {
  readonly type: string
  readonly wrapped?: v.GenericSchema
  readonly pipe?: readonly { readonly kind: string; readonly message?: unknown }[]
  readonly entries?: v.ObjectEntries
  readonly item?: v.GenericSchema
  readonly options?: readonly unknown[]
  readonly message?: unknown
}

export interface UnwrappedSchema {
  readonly optional: boolean
  readonly nullable: boolean
  /** The schema that says what the value is. */
  readonly innermost: SchemaNode
  /** What the value must keep to besides, in the words of who judges it. */
  readonly rules: readonly string[]
}

const OPTIONAL_TYPES = ['optional', 'nullish', 'exact_optional', 'undefinedable']
const NULLABLE_TYPES = ['nullable', 'nullish']

export function unwrapSchema(schema: v.GenericSchema): UnwrappedSchema {
  const { type, wrapped, pipe } = schema as SchemaNode
  const [first, ...actions] = pipe ?? []
  if (first && first !== schema) {
    const before = unwrapSchema(first as unknown as v.GenericSchema)
    // The last schema of a pipe knows most: the ones before it only guard it.
    const last = actions.findLast(({ kind }) => kind === 'schema')
    const { innermost } = last ? unwrapSchema(last as unknown as v.GenericSchema) : before
    return { ...before, innermost, rules: [...before.rules, ...actions.flatMap(ruleMessage)] }
  }
  if (!wrapped) return { optional: false, nullable: false, innermost: schema as SchemaNode, rules: [] }
  const inside = unwrapSchema(wrapped)
  return {
    ...inside,
    optional: inside.optional || OPTIONAL_TYPES.includes(type),
    nullable: inside.nullable || NULLABLE_TYPES.includes(type),
  }
}

/** Adds to the rule for an unknown field the names that are known in its place. */
export function suggestFieldNames(schema: v.GenericSchema): (rule: string, field: string) => string {
  return (rule, field) =>
    rule.startsWith('Unknown field.') ? rule + formatValidNames(siblingNames(schema, field)) : rule
}

/** The names that stand beside the one at `path` (`emails[0].adress`); undefined where the schema does not go there. */
function siblingNames(schema: v.GenericSchema, path: string): readonly string[] | undefined {
  let at: v.GenericSchema | undefined = schema
  for (const name of path.split('.').slice(0, -1)) {
    const [field = '', ...indexes] = name.split('[')
    at = unwrapSchema(at).innermost.entries?.[field] as v.GenericSchema | undefined
    for (const _ of indexes) at = at && unwrapSchema(at).innermost.item
    if (!at) return undefined
  }
  const { entries } = unwrapSchema(at).innermost
  return entries && Object.keys(entries)
}

function ruleMessage({
  kind,
  message,
}: {
  readonly kind: string
  readonly message?: unknown
}): readonly string[] {
  return kind === 'validation' && typeof message === 'string' ? [message] : []
}
