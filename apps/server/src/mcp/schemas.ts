import type * as v from 'valibot'
import { namedAs } from './named-as.ts'

/** A schema as a walker sees it: wrappers, pipes, arrays and objects show their inside under these names. */
export interface Walkable {
  readonly type: string
  readonly wrapped?: v.GenericSchema
  readonly pipe?: readonly { readonly kind: string; readonly message?: unknown }[]
  readonly entries?: v.ObjectEntries
  readonly item?: v.GenericSchema
  readonly options?: readonly unknown[]
  readonly message?: unknown
}

export interface Inside {
  readonly optional: boolean
  readonly nullable: boolean
  /** The schema that says what the value is. */
  readonly innermost: Walkable
  /** What the value must keep to besides, in the words of who judges it. */
  readonly rules: readonly string[]
}

const LEFT_OUT = ['optional', 'nullish', 'exact_optional', 'undefinedable']
const NULL = ['nullable', 'nullish']

export function insideOf(schema: v.GenericSchema): Inside {
  const { type, wrapped, pipe } = schema as Walkable
  const [first, ...actions] = pipe ?? []
  if (first && first !== schema) {
    const before = insideOf(first as unknown as v.GenericSchema)
    // The last schema of a pipe knows most: the ones before it only guard it.
    const last = actions.findLast(({ kind }) => kind === 'schema')
    const { innermost } = last ? insideOf(last as unknown as v.GenericSchema) : before
    return { ...before, innermost, rules: [...before.rules, ...actions.flatMap(ruleOf)] }
  }
  if (!wrapped) return { optional: false, nullable: false, innermost: schema as Walkable, rules: [] }
  const inside = insideOf(wrapped)
  return { ...inside, optional: inside.optional || LEFT_OUT.includes(type), nullable: inside.nullable || NULL.includes(type) }
}

/** Adds to the rule for an unknown field the names that are known in its place. */
export function knownBeside(schema: v.GenericSchema): (rule: string, field: string) => string {
  return (rule, field) => (rule.startsWith('Unknown field.') ? rule + namedAs(namesBeside(schema, field)) : rule)
}

/** The names that stand beside the one at `path` (`emails[0].adress`); undefined where the schema does not go there. */
function namesBeside(schema: v.GenericSchema, path: string): readonly string[] | undefined {
  let at: v.GenericSchema | undefined = schema
  for (const name of path.split('.').slice(0, -1)) {
    const [field = '', ...indexes] = name.split('[')
    at = insideOf(at).innermost.entries?.[field] as v.GenericSchema | undefined
    for (const _ of indexes) at = at && insideOf(at).innermost.item
    if (!at) return undefined
  }
  const { entries } = insideOf(at).innermost
  return entries && Object.keys(entries)
}

function ruleOf({ kind, message }: { readonly kind: string; readonly message?: unknown }): readonly string[] {
  return kind === 'validation' && typeof message === 'string' ? [message] : []
}
