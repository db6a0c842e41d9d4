import { isUnknownFieldRule } from '@sales-crm/core/declarations'
import type * as v from 'valibot'
import { formatValidNames } from './valid-names.ts'

/** The properties by which valibot's wrappers, pipes, objects and arrays hold other schemas. */
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
  /** The schema of the value itself, without wrappers and pipes. */
  readonly innermost: SchemaNode
  /** Messages of the validations in the pipes. */
  readonly rules: readonly string[]
}

const OPTIONAL_TYPES = ['optional', 'nullish', 'exact_optional', 'undefinedable']
const NULLABLE_TYPES = ['nullable', 'nullish']

export function unwrapSchema(schema: v.GenericSchema): UnwrappedSchema {
  const { type, wrapped, pipe } = schema as SchemaNode
  const [first, ...actions] = pipe ?? []
  if (first && first !== schema) {
    const start = unwrapSchema(first as unknown as v.GenericSchema)
    // The last schema of a pipe is the most specific one: the schemas before it only guard it.
    const last = actions.findLast(({ kind }) => kind === 'schema')
    const end = last ? unwrapSchema(last as unknown as v.GenericSchema) : undefined
    const rules = [...start.rules, ...(end?.rules ?? []), ...actions.flatMap(ruleMessage)]
    return { ...start, innermost: (end ?? start).innermost, rules }
  }
  if (!wrapped) return { optional: false, nullable: false, innermost: schema as SchemaNode, rules: [] }
  const inner = unwrapSchema(wrapped)
  return {
    ...inner,
    optional: inner.optional || OPTIONAL_TYPES.includes(type),
    nullable: inner.nullable || NULLABLE_TYPES.includes(type),
  }
}

/** Appends the valid field names to the rule for an unknown field. */
export function suggestFieldNames(schema: v.GenericSchema): (rule: string, field: string) => string {
  return (rule, field) =>
    isUnknownFieldRule(rule) ? rule + formatValidNames(siblingNames(schema, field)) : rule
}

/** Returns the sibling fields of `path`, such as `emails[0].adress`; undefined for an unknown path. */
function siblingNames(schema: v.GenericSchema, path: string): readonly string[] | undefined {
  let parent: v.GenericSchema | undefined = schema
  for (const name of path.split('.').slice(0, -1)) {
    const [field = '', ...indexes] = name.split('[')
    parent = unwrapSchema(parent).innermost.entries?.[field] as v.GenericSchema | undefined
    for (const _ of indexes) parent = parent && unwrapSchema(parent).innermost.item
    if (!parent) return undefined
  }
  const { entries } = unwrapSchema(parent).innermost
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
