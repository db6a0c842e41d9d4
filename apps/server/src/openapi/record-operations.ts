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
import type { NamedSchema, Operation, Param } from './operation.ts'

/** Properties in which the five operations differ between record types. */
export interface RecordKind {
  /** Used in the names of operations and schemas: `TaskType`, `TaskTypes`. */
  readonly name: string
  readonly plural: string
  /** Used at the start of error messages: `Task type`. In lower case it is the noun in the singular. */
  readonly label: string
  readonly pluralLabel: string
  readonly tag: Operation['tag']
  readonly responses: { readonly item: GenericSchema; readonly detail: GenericSchema }
  /** Response to POST and PATCH, if it differs from the response to GET. */
  readonly writeResponse?: { readonly name: string; readonly detail: GenericSchema }
  readonly query: GenericSchema
  /** Examples of validation errors of a body. */
  readonly fieldErrors: FieldErrors
  readonly conflicts?: { readonly create?: CrmError; readonly update?: CrmError; readonly remove?: CrmError }
  /** Permission depends on the role of the token's member. */
  readonly dependsOnRole: boolean
  /** Records have tags, lists and custom fields. */
  readonly hasAssociations?: true
  /** Bodies may contain `deals`, which requires the scope `deals:write`. */
  readonly acceptsDeals?: true
  readonly takesIdempotencyKey?: true
  /** Replaces the default documentation of the path parameter `id`. */
  readonly idParameter?: Param
  readonly descriptions: Readonly<Record<Exclude<keyof RecordOperations, 'get'>, string>>
}

export interface RecordOperations {
  readonly list: Operation
  readonly get: Operation
  readonly create: Operation
  readonly update: Operation
  readonly remove: Operation
}

const READ_DESCRIPTION = 'Returns all fields. A deleted record, or one of another workspace, is not found.'

/** @param schemas schemas of the bodies of POST and PATCH */
export function recordOperations(
  kind: RecordKind,
  schemas: { readonly create: GenericSchema; readonly update: GenericSchema },
): RecordOperations {
  const { name, plural, label, pluralLabel, tag, responses, query, conflicts = {}, descriptions } = kind
  const singular = label.toLowerCase()
  const readResponse = namedResponse({ name, detail: responses.detail })
  const writeResponse = kind.writeResponse ? namedResponse(kind.writeResponse) : readResponse
  const params = kind.idParameter && { id: kind.idParameter }
  const notFoundError = notFound(label)
  const forbiddenErrors = (action: 'create' | 'update' | 'delete') =>
    kind.dependsOnRole ? [forbidden(action, singular)] : []
  const optionalError = (error: CrmError | undefined) => (error ? [error] : [])
  const writeErrors = [
    validationError(kind.fieldErrors),
    ...(kind.acceptsDeals ? [insufficientScope('deals:write')] : []),
  ]

  return {
    list: {
      ...{ id: `list${plural}`, tag, summary: `List ${pluralLabel}`, description: descriptions.list },
      query,
      success: {
        status: 200,
        description: `A page of ${pluralLabel}.`,
        response: { name: `${name}Page`, schema: listResponse(responses.item) },
      },
      errors: [INVALID_PAGING],
    },
    get: {
      ...{
        id: `get${name}`,
        tag,
        summary: `Retrieve ${withArticle(singular)}`,
        description: READ_DESCRIPTION,
      },
      ...(params && { params }),
      success: { status: 200, description: `The ${singular}.`, response: readResponse },
      errors: [notFoundError],
    },
    create: {
      ...{
        id: `create${name}`,
        tag,
        summary: `Create ${withArticle(singular)}`,
        description: descriptions.create,
      },
      body: { name: `New${name}`, schema: schemas.create },
      ...(kind.takesIdempotencyKey && { takesIdempotencyKey: true }),
      success: { status: 201, description: `The new ${singular}.`, response: writeResponse },
      errors: [
        ...BODY_ERRORS,
        ...writeErrors,
        ...(kind.takesIdempotencyKey ? [idempotencyConflict()] : []),
        ...forbiddenErrors('create'),
        ...optionalError(conflicts.create),
      ],
    },
    update: {
      ...{
        id: `update${name}`,
        tag,
        summary: `Update ${withArticle(singular)}`,
        description: descriptions.update,
      },
      ...(params && { params }),
      body: { name: `${name}Changes`, schema: schemas.update, changes: true },
      success: { status: 200, description: `The ${singular} after the change.`, response: writeResponse },
      errors: [
        ...BODY_ERRORS,
        NO_FIELDS,
        ...writeErrors,
        notFoundError,
        ...forbiddenErrors('update'),
        ...optionalError(conflicts.update),
        ...(kind.hasAssociations ? [partialUpdateError(label)] : []),
      ],
    },
    remove: {
      ...{
        id: `delete${name}`,
        tag,
        summary: `Delete ${withArticle(singular)}`,
        description: descriptions.remove,
      },
      ...(params && { params }),
      success: { status: 204, description: `The ${singular} was deleted.` },
      errors: [notFoundError, ...forbiddenErrors('delete'), ...optionalError(conflicts.remove)],
    },
  }
}

function namedResponse({
  name,
  detail,
}: {
  readonly name: string
  readonly detail: GenericSchema
}): NamedSchema {
  return { name: `${name}Response`, schema: itemResponse(detail) }
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
