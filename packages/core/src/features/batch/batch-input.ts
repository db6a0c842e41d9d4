import * as v from 'valibot'
import { flag, oneOf } from '../../kernel/field-schemas.ts'
import { listOf, object } from '../../kernel/object-schemas.ts'
import { jsonSchema, lengthBetween, string } from '../../kernel/text-schemas.ts'

/** Maximum number of operations per call. */
export const MAX_OPERATIONS = 100

export const BATCH_VERBS = ['create', 'update', 'upsert', 'delete'] as const
export type BatchVerb = (typeof BATCH_VERBS)[number]

const anyObject = v.pipe(
  v.unknown(),
  v.check(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Must be an object.',
  ),
  jsonSchema({ type: 'object' }),
) as v.GenericSchema<object, Readonly<Record<string, unknown>>>

/** The members of an operation besides `op`, which all are required. */
const MEMBERS: Readonly<Record<BatchVerb, readonly string[]>> = {
  create: ['record'],
  update: ['id', 'record'],
  upsert: ['match', 'record'],
  delete: ['id'],
}

/** `record` and `match` are validated by the operation itself. */
const operation = v.pipe(
  object({
    op: oneOf(BATCH_VERBS),
    id: v.optional(v.pipe(string, lengthBetween(1, 100), jsonSchema({ minLength: 1, maxLength: 100 }))),
    record: v.optional(anyObject),
    match: v.optional(anyObject),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value as Readonly<Record<string, unknown>>
    const members = MEMBERS[dataset.value.op]
    for (const key of ['id', 'match', 'record']) {
      const isSent = input[key] !== undefined
      if (isSent === members.includes(key)) continue
      const message = isSent ? `Does not belong to the operation ${dataset.value.op}.` : 'Required.'
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] })
    }
  }),
)

export const batchInput = object({
  operations: listOf(operation, 1, MAX_OPERATIONS, 'operations'),
  atomic: v.optional(flag, false),
})

/** One operation of a batch. */
export interface BatchOperation {
  readonly op: BatchVerb
  /** Of `update` and `delete`. */
  readonly id?: string | undefined
  /** Of all but `delete`. Files are not accepted. */
  readonly record?: object | undefined
  /** Of `upsert`, for kinds that have it. */
  readonly match?: object | undefined
}

/** Input of `crm.people.batch` and the like. */
export interface BatchInput {
  /** 1 to 100, in the order in which they run. */
  readonly operations: readonly BatchOperation[]
  /** True to write all or nothing. Default: each operation succeeds or fails alone. */
  readonly atomic?: boolean | undefined
}
