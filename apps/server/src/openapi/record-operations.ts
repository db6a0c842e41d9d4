import {
  type CrmError,
  type FieldErrors,
  forbidden,
  idempotencyConflict,
  insufficientScope,
  itemResponse,
  listResponse,
  notFound,
  validationError,
} from '@sales-crm/core'
import type { GenericSchema } from 'valibot'
import { BODY_ERRORS, INVALID_PAGING, NO_FIELDS, partialUpdateError } from './body-errors.ts'
import type { Operation, Param } from './operation.ts'

/** What sets the five operations of one kind of record apart from those of others. */
export interface RecordKind {
  /** As operations and schemas are named after it: `TaskType`, `TaskTypes`. */
  readonly name: string
  readonly plural: string
  /** As errors begin: `Task type`. In lower case it is the word for one. */
  readonly label: string
  readonly many: string
  readonly tag: Operation['tag']
  readonly answers: { readonly item: GenericSchema; readonly detail: GenericSchema }
  /** Where an answer to a POST or a PATCH is another than that to a GET. */
  readonly written?: { readonly name: string; readonly detail: GenericSchema }
  readonly query: GenericSchema
  /** What a body can be refused with. */
  readonly faults: FieldErrors
  readonly conflicts?: { readonly create?: CrmError; readonly update?: CrmError; readonly remove?: CrmError }
  /** Whether the role of the token's member matters. */
  readonly byRole: boolean
  /** Whether it has tags, lists and custom fields. */
  readonly associated?: true
  /** Whether `deals` can be sent with it, which asks for a scope of their own. */
  readonly takesDeals?: true
  readonly takesIdempotencyKey?: true
  /** How it is addressed, where not by its id alone. */
  readonly addressed?: Param
  /** What there is to say of each operation. */
  readonly notes: Readonly<Record<Exclude<keyof RecordOperations, 'get'>, string>>
}

export interface RecordOperations {
  readonly list: Operation
  readonly get: Operation
  readonly create: Operation
  readonly update: Operation
  readonly remove: Operation
}

const READ_DESCRIPTION =
  'With all its fields. One that was deleted, or is of another workspace, is not found.'

/** @param schemas what a new record and changes to one are judged by */
export function recordOperations(
  kind: RecordKind,
  schemas: { readonly create: GenericSchema; readonly update: GenericSchema },
): RecordOperations {
  const { name, plural, label, many, tag, answers, query, faults, conflicts = {}, notes, addressed } = kind
  const singular = label.toLowerCase()
  const { name: writtenName = name, detail: writtenDetail = answers.detail } = kind.written ?? {}
  const read = { name: `${name}Answer`, schema: itemResponse(answers.detail) }
  const written = kind.written ? { name: `${writtenName}Answer`, schema: itemResponse(writtenDetail) } : read
  const params = addressed && { id: addressed }
  const notFoundError = notFound(label)
  const forbiddenErrors = (action: 'create' | 'update' | 'delete') =>
    kind.byRole ? [forbidden(action, singular)] : []
  const optionalError = (error: CrmError | undefined) => (error ? [error] : [])
  const writeErrors = [
    validationError(faults),
    ...(kind.takesDeals ? [insufficientScope('deals:write')] : []),
  ]

  return {
    list: {
      ...{ id: `list${plural}`, tag, summary: `List ${many}`, description: notes.list },
      query,
      success: {
        status: 200,
        description: `A page of ${many}.`,
        response: { name: `${name}Page`, schema: listResponse(answers.item) },
      },
      errors: [INVALID_PAGING],
    },
    get: {
      ...{ id: `get${name}`, tag, summary: `Read ${withArticle(singular)}`, description: READ_DESCRIPTION },
      ...(params && { params }),
      success: { status: 200, description: `The ${singular}.`, response: read },
      errors: [notFoundError],
    },
    create: {
      ...{ id: `create${name}`, tag, summary: `Create ${withArticle(singular)}`, description: notes.create },
      body: { name: `New${name}`, schema: schemas.create },
      ...(kind.takesIdempotencyKey && { takesIdempotencyKey: true }),
      success: { status: 201, description: `The new ${singular}.`, response: written },
      errors: [
        ...BODY_ERRORS,
        ...writeErrors,
        ...(kind.takesIdempotencyKey ? [idempotencyConflict()] : []),
        ...forbiddenErrors('create'),
        ...optionalError(conflicts.create),
      ],
    },
    update: {
      ...{ id: `update${name}`, tag, summary: `Update ${withArticle(singular)}`, description: notes.update },
      ...(params && { params }),
      body: { name: `${name}Changes`, schema: schemas.update, changes: true },
      success: { status: 200, description: `The ${singular} as it is now.`, response: written },
      errors: [
        ...BODY_ERRORS,
        NO_FIELDS,
        ...writeErrors,
        notFoundError,
        ...forbiddenErrors('update'),
        ...optionalError(conflicts.update),
        ...(kind.associated ? [partialUpdateError(label)] : []),
      ],
    },
    remove: {
      ...{ id: `delete${name}`, tag, summary: `Delete ${withArticle(singular)}`, description: notes.remove },
      ...(params && { params }),
      success: { status: 204, description: `The ${singular} is gone.` },
      errors: [notFoundError, ...forbiddenErrors('delete'), ...optionalError(conflicts.remove)],
    },
  }
}

function withArticle(one: string): string {
  return `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`
}
