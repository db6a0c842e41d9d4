import * as v from 'valibot'
import { type FieldErrors, validationError } from '../kernel/errors.ts'
import { orderByInput } from './order-errors.ts'
import { unknownNameRule } from './unknown-names.ts'

/** The caller's word for a part of the input: a field of a body, a parameter of a query. */
export type InputPart = 'field' | 'parameter'

/**
 * Parses the input with the schema. Reports all invalid and unknown fields at once, in the order of the
 * input, together with `extraErrors`, which a schema cannot express.
 * @throws CrmError `validation_error`, its `fields` keyed by path
 */
export function validate<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  part: InputPart = 'field',
  extraErrors: FieldErrors = {},
): v.InferOutput<S> {
  const errors = new Map(Object.entries(extraErrors))
  const output = validateInto(schema, input, part, errors)
  if (errors.size > 0) throw validationError(orderByInput(errors, input))
  return output as v.InferOutput<S>
}

/** Parses the input and sets `errors`. The output is only valid without errors. */
export function validateInto<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  part: InputPart,
  errors: Map<string, string>,
): v.InferOutput<S> | undefined {
  collectUnknownFields(schema, input, part, '', errors)
  const result = v.safeParse(schema, input)
  for (const issue of result.issues ?? []) {
    const path = pathOf(issue)
    if (!errors.has(path)) errors.set(path, messageOf(issue))
  }
  return result.success ? result.output : undefined
}

/** Throws errors that were found side by side in the order of the input. @throws CrmError `validation_error` */
export function throwIfErrors(errors: ReadonlyMap<string, string>, input: unknown): void {
  if (errors.size > 0) throw validationError(orderByInput(errors, input))
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  const isTypeIssue = issue.kind === 'schema'
  if (isTypeIssue && issue.received === 'undefined') return 'Required.'
  if (isTypeIssue && issue.received === 'null') return 'Must not be null.'
  return issue.message
}

function pathOf(issue: v.BaseIssue<unknown>): string {
  let path = ''
  for (const { key } of issue.path ?? [])
    path = typeof key === 'number' ? `${path}[${key}]` : joinPath(path, String(key))
  return path === '' ? 'body' : path
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The properties of valibot schemas that the walk follows: wrappers, pipes, arrays and objects. */
interface SchemaNode {
  readonly entries?: v.ObjectEntries
  readonly item?: v.GenericSchema
  readonly wrapped?: v.GenericSchema
  readonly pipe?: readonly { readonly kind: string }[]
}

/** Maximum number of unknown fields reported at once. */
const MAX_UNKNOWN_FIELDS = 100

/** The rules that the names of unknown fields break, by path. */
export function findUnknownFields(schema: v.GenericSchema, input: unknown): ReadonlyMap<string, string> {
  const errors = new Map<string, string>()
  collectUnknownFields(schema, input, 'field', '', errors)
  return errors
}

function collectUnknownFields(
  schema: v.GenericSchema,
  input: unknown,
  part: InputPart,
  path: string,
  errors: Map<string, string>,
): void {
  if (typeof input !== 'object' || input === null) return
  const { item } = unwrapSchema(schema)
  if (item && Array.isArray(input)) {
    for (const [index, element] of input.entries()) {
      if (errors.size >= MAX_UNKNOWN_FIELDS) return
      collectUnknownFields(item, element, part, `${path}[${index}]`, errors)
    }
    return
  }
  const entries = entriesOf(schema)
  if (!entries || Array.isArray(input)) return
  for (const [name, value] of Object.entries(input)) {
    if (errors.size >= MAX_UNKNOWN_FIELDS) return
    if (Object.hasOwn(entries, name))
      collectUnknownFields(entries[name] as v.GenericSchema, value, part, joinPath(path, name), errors)
    else errors.set(joinPath(path, name), unknownNameRule(part, name, Object.keys(entries)))
  }
}

/** The names of the fields of an object schema. */
export function fieldNames(schema: v.GenericSchema): readonly string[] {
  return Object.keys(entriesOf(schema) ?? {})
}

function entriesOf(schema: v.GenericSchema): v.ObjectEntries | undefined {
  return unwrapSchema(schema).entries
}

function unwrapSchema(schema: v.GenericSchema): SchemaNode {
  const { pipe, wrapped } = schema as SchemaNode
  if (wrapped) return unwrapSchema(wrapped)
  // The last schema of a pipe is the most specific.
  const last = pipe?.findLast(({ kind }) => kind === 'schema') as v.GenericSchema | undefined
  return last && last !== schema ? unwrapSchema(last) : (schema as SchemaNode)
}
