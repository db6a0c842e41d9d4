import * as v from 'valibot'
import { badRequest, type FieldErrors, invalid } from '../errors.ts'
import { nearest } from './nearest.ts'

/** What a caller calls the parts of its input: the fields of a body, or the parameters of a query. */
export type Part = 'field' | 'parameter'

/**
 * The input as the schema makes it, with every bad and every unknown field reported at once, and with them `noted`: what a schema
 * cannot say.
 * @throws CrmError `validation_error`, its `fields` keyed by path
 */
export function validate<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  part: Part = 'field',
  noted: FieldErrors = {},
): v.InferOutput<S> {
  const errors = new Map(Object.entries(noted))
  const output = judged(schema, input, part, errors)
  throwIfAny(errors)
  return output as v.InferOutput<S>
}

/** As `validate`, but what is wrong is noted in `errors`, and the output then of no use. */
export function judged<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  part: Part,
  errors: Map<string, string>,
): v.InferOutput<S> | undefined {
  noteUnknown(schema, input, part, '', errors)
  const result = v.safeParse(schema, input)
  for (const issue of result.issues ?? []) {
    const path = pathOf(issue)
    if (!errors.has(path)) errors.set(path, messageOf(issue))
  }
  return result.success ? result.output : undefined
}

/** The fields of a PATCH that were sent. */
type Sent<Output> = { readonly [F in keyof Output]: Exclude<Output[F], undefined> }

/** As `validate`, for a PATCH, without the fields that were left out. @throws CrmError `bad_request` when it names no known field at all. */
export function validatePatch<S extends v.GenericSchema>(schema: S, input: unknown, noted?: FieldErrors): Sent<v.InferOutput<S>> {
  const known = entriesOf(schema) ?? {}
  const sent = typeof input === 'object' && input !== null ? Object.keys(input) : []
  if (!sent.some((name) => Object.hasOwn(known, name))) {
    const unknown = new Map<string, string>()
    noteUnknown(schema, input, 'field', '', unknown)
    throw badRequest('No fields provided for update.', unknown.size > 0 ? Object.fromEntries(unknown) : undefined)
  }
  const changes = validate(schema, input, 'field', noted) as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Sent<v.InferOutput<S>>
}

export function throwIfAny(errors: ReadonlyMap<string, string>): void {
  if (errors.size > 0) throw invalid(Object.fromEntries(errors) satisfies FieldErrors)
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  const aboutType = issue.kind === 'schema'
  if (aboutType && issue.received === 'undefined') return 'Required.'
  if (aboutType && issue.received === 'null') return 'Must not be null.'
  return issue.message
}

function pathOf(issue: v.BaseIssue<unknown>): string {
  let path = ''
  for (const { key } of issue.path ?? []) path = typeof key === 'number' ? `${path}[${key}]` : joined(path, String(key))
  return path === '' ? 'body' : path
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** A schema as a walker sees it: wrappers, pipes, arrays and objects show their inside under these names. */
interface Walkable {
  readonly entries?: v.ObjectEntries
  readonly item?: v.GenericSchema
  readonly wrapped?: v.GenericSchema
  readonly pipe?: readonly { readonly kind: string }[]
}

/** So many unknown fields are named; whoever sends more learns the rest when these are mended. */
const MOST_NAMED = 100

function noteUnknown(schema: v.GenericSchema, input: unknown, part: Part, path: string, errors: Map<string, string>): void {
  if (typeof input !== 'object' || input === null) return
  const { item } = inside(schema)
  if (item && Array.isArray(input)) {
    for (const [index, each] of input.entries()) {
      if (errors.size >= MOST_NAMED) return
      noteUnknown(item, each, part, `${path}[${index}]`, errors)
    }
    return
  }
  const entries = entriesOf(schema)
  if (!entries || Array.isArray(input)) return
  for (const [name, value] of Object.entries(input)) {
    if (errors.size >= MOST_NAMED) return
    if (Object.hasOwn(entries, name)) noteUnknown(entries[name] as v.GenericSchema, value, part, joined(path, name), errors)
    else errors.set(joined(path, name), unknownMessage(name, Object.keys(entries), part))
  }
}

function entriesOf(schema: v.GenericSchema): v.ObjectEntries | undefined {
  return inside(schema).entries
}

function inside(schema: v.GenericSchema): Walkable {
  const { pipe, wrapped } = schema as Walkable
  if (wrapped) return inside(wrapped)
  // The last schema of a pipe knows most: the ones before it only guard it.
  const last = pipe?.findLast(({ kind }) => kind === 'schema') as v.GenericSchema | undefined
  return last && last !== schema ? inside(last) : (schema as Walkable)
}

export function unknownMessage(name: string, known: readonly string[], part: Part): string {
  const near = nearest(name, known)
  return `Unknown ${part}.${near === undefined ? '' : ` Did you mean "${near}"?`}`
}
