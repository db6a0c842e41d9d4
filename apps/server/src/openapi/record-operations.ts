import {
  type CrmError,
  type FieldErrors,
  forbidden,
  idempotencyConflict,
  insufficientScope,
  notFound,
  validationError,
} from '@sales-crm/core'
import { itemResponse, listResponse, membershipInput } from '@sales-crm/core/declarations'
import type { GenericSchema } from 'valibot'
import { BODY_ERRORS, INVALID_PAGING, NO_FIELDS, partialUpdateError } from './body-errors.ts'
import type { NamedSchema, Operation, Param } from './operation.ts'

/** Properties in which the five operations differ between record types. */
export interface RecordDocument {
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
  /** The query of a single record; undefined for none. */
  readonly detailQuery?: GenericSchema | undefined
  /** Examples of validation errors of a body. */
  readonly fieldErrors: FieldErrors
  readonly conflicts?: {
    readonly create?: CrmError | undefined
    readonly update?: CrmError | undefined
    readonly remove?: CrmError | undefined
  }
  /** Permission depends on the role of the token's member. */
  readonly dependsOnRole: boolean
  /** So may reads. */
  readonly readDependsOnRole?: true
  /** Records have tags, lists and custom fields. */
  readonly hasAssociations?: boolean
  /** Bodies may contain `deals`, which requires the scope `deals:write`. */
  readonly acceptsDeals?: boolean
  /** The response to a POST has a secret, which is not stored for a repetition. */
  readonly hasSecret?: true
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

type Action = 'create' | 'update' | 'delete'

const READ_DESCRIPTION = 'Returns all fields. A deleted record, or one of another workspace, is not found.'

/** @param schemas schemas of the bodies of POST and PATCH */
export function recordOperations(
  kind: RecordDocument,
  schemas: { readonly create: GenericSchema; readonly update: GenericSchema },
): RecordOperations {
  // Schemas with a name are the same object wherever they are used.
  const readResponse = namedResponse({ name: kind.name, detail: kind.responses.detail })
  const writeResponse = kind.writeResponse ? namedResponse(kind.writeResponse) : readResponse
  return {
    list: listOperation(kind),
    get: getOperation(kind, readResponse),
    create: createOperation(kind, schemas.create, writeResponse),
    update: updateOperation(kind, schemas.update, writeResponse),
    remove: removeOperation(kind),
  }
}

const PAGES = new Map<GenericSchema, GenericSchema>()

/** Operations with one response share its schema. */
export function pageResponse({
  name,
  pluralLabel,
  responses: { item },
}: Pick<RecordDocument, 'name' | 'pluralLabel' | 'responses'>): Operation['success'] {
  const schema = PAGES.get(item) ?? listResponse(item)
  PAGES.set(item, schema)
  return { status: 200, description: `A page of ${pluralLabel}.`, response: { name: `${name}Page`, schema } }
}

function listOperation(kind: RecordDocument): Operation {
  const { plural, pluralLabel, tag, query, descriptions } = kind
  return {
    ...{ id: `list${plural}`, tag, summary: `List ${pluralLabel}`, description: descriptions.list },
    query,
    success: pageResponse(kind),
    errors: [INVALID_PAGING, ...readRoleErrors(kind)],
  }
}

function getOperation(kind: RecordDocument, response: NamedSchema): Operation {
  return {
    ...operationHead(kind, 'get', 'Retrieve', READ_DESCRIPTION),
    ...pathParams(kind),
    ...(kind.detailQuery && { query: kind.detailQuery }),
    hasEntityTag: true,
    success: { status: 200, description: `The ${singularOf(kind)}.`, response },
    errors: [notFound(kind.label), ...readRoleErrors(kind)],
  }
}

function readRoleErrors(kind: RecordDocument): readonly CrmError[] {
  return kind.readDependsOnRole ? [forbidden('read', singularOf(kind))] : []
}

function createOperation(kind: RecordDocument, schema: GenericSchema, response: NamedSchema): Operation {
  const { name, descriptions, hasSecret } = kind
  return {
    ...operationHead(kind, 'create', 'Create', descriptions.create),
    body: { name: `New${name}`, schema },
    ...(!hasSecret && { takesIdempotencyKey: true as const }),
    success: { status: 201, description: `The new ${singularOf(kind)}.`, response },
    errors: [
      ...BODY_ERRORS,
      ...fieldErrors(kind),
      ...(hasSecret ? [] : [idempotencyConflict()]),
      ...roleAndConflictErrors(kind, 'create'),
    ],
  }
}

function updateOperation(kind: RecordDocument, schema: GenericSchema, response: NamedSchema): Operation {
  const { name, label, descriptions, hasAssociations, hasSecret } = kind
  return {
    ...operationHead(kind, 'update', 'Update', descriptions.update),
    ...pathParams(kind),
    body: { name: `${name}Changes`, schema, changes: true },
    isConditional: true,
    ...(!hasSecret && { takesIdempotencyKey: true as const }),
    success: {
      status: 200,
      description: `The ${singularOf(kind)} after the change.`,
      response,
    },
    errors: [
      ...BODY_ERRORS,
      NO_FIELDS,
      ...fieldErrors(kind),
      notFound(label),
      ...(hasSecret ? [] : [idempotencyConflict()]),
      ...roleAndConflictErrors(kind, 'update'),
      ...(hasAssociations ? [partialUpdateError(label)] : []),
    ],
  }
}

function removeOperation(kind: RecordDocument): Operation {
  const { label, descriptions } = kind
  return {
    ...operationHead(kind, 'delete', 'Delete', descriptions.remove),
    ...pathParams(kind),
    isConditional: true,
    success: { status: 204, description: `The ${singularOf(kind)} was deleted.` },
    errors: [notFound(label), ...roleAndConflictErrors(kind, 'delete')],
  }
}

function operationHead(
  kind: RecordDocument,
  action: 'get' | Action,
  verb: string,
  description: string,
): Pick<Operation, 'id' | 'tag' | 'summary' | 'description'> {
  const { name, tag } = kind
  return { id: `${action}${name}`, tag, summary: `${verb} ${withArticle(singularOf(kind))}`, description }
}

function pathParams({ idParameter }: RecordDocument): Pick<Operation, 'params'> {
  return idParameter ? { params: { id: idParameter } } : {}
}

function fieldErrors({ fieldErrors, acceptsDeals }: RecordDocument): readonly CrmError[] {
  return [validationError(fieldErrors), ...(acceptsDeals ? [insufficientScope('deals:write')] : [])]
}

function roleAndConflictErrors(kind: RecordDocument, action: Action): readonly CrmError[] {
  const conflict = kind.conflicts?.[action === 'delete' ? 'remove' : action]
  return [
    ...(kind.dependsOnRole ? [forbidden(action, singularOf(kind))] : []),
    ...(conflict ? [conflict] : []),
  ]
}

function singularOf({ label }: RecordDocument): string {
  return label.toLowerCase()
}

function namedResponse({ name, detail }: NonNullable<RecordDocument['writeResponse']>): NamedSchema {
  return { name: `${name}Response`, schema: itemResponse(detail) }
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

/** Of people, companies and deals: their tags and lists, one by one. */
export function membershipOperation(document: RecordDocument): Operation {
  const { name, tag, label } = document
  return {
    id: `change${name}Memberships`,
    tag,
    summary: `Change tags and lists of ${withArticle(singularOf(document))}`,
    description:
      'Adds tags and lists, or removes them. Others stay, including those that another call adds at the same time. If ' +
      'nothing changes, nothing is written and no event is sent.',
    body: { name: 'MembershipChanges', schema: membershipInput, changes: true },
    success: {
      status: 200,
      description: `The ${singularOf(document)} after the change.`,
      response: namedResponse({ name, detail: document.responses.detail }),
    },
    errors: [
      ...BODY_ERRORS,
      validationError({ 'add_tags[0]': 'Tag not found.' }),
      notFound(label),
      forbidden('update', singularOf(document)),
      partialUpdateError(label),
    ],
  }
}
