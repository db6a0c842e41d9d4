import { conflict, forbidden, insufficientScope, notFound, validationError } from '@sales-crm/core'
import {
  bulkInput,
  type FilteredKind,
  itemResponse,
  listResponse,
  pageQuery,
  responseSchemas,
} from '@sales-crm/core/declarations'
import { BODY_ERRORS, INVALID_PAGING, UNKNOWN_PARAMETER } from './body-errors.ts'
import { kindDocument } from './kind-document.ts'
import type { Operation } from './operation.ts'
import { EMPTY_OBJECT } from './webhook-operations.ts'

const tag = 'Bulk changes'
const { bulk_changes, bulk_failures } = responseSchemas
const CHANGE = { name: 'BulkChangeResponse', schema: itemResponse(bulk_changes.detail) }
const NOTHING = { name: 'Nothing', schema: EMPTY_OBJECT, optional: true } as const
const params = {
  id: { description: 'Id of the bulk change.', isId: true, example: '01a1fc31-2c90-7f14-a3d0-6c1b2a5e8f79' },
}
const [NOT_FOUND, NO_SCOPE] = [notFound('Bulk change'), insufficientScope('people:write')]
const success = { status: 200, description: 'The bulk change.', response: CHANGE } as const

export function startBulkChange(kind: FilteredKind): Operation {
  const { name, pluralLabel, label } = kindDocument(kind)
  return {
    ...{ id: `start${name}BulkChange`, tag, summary: `Change all ${pluralLabel} that match` },
    description:
      'Changes or deletes the records that match now, at most 100,000, in the background, each with the permissions and events ' +
      'of the same call alone. `change` has the fields of a `PATCH`, `add_tags`, `remove_tags`, `add_lists` and ' +
      '`remove_lists`, or `delete` alone. A filter is required, or `all`. Of a workspace ten run at once.',
    body: { name: `New${name}BulkChange`, schema: bulkInput(kind) },
    success: { status: 201, description: 'The bulk change, which has begun.', response: CHANGE },
    errors: [
      ...BODY_ERRORS,
      validationError({ filter: 'Required, or another filter, or all.' }),
      conflict('state', '10 changes of the workspace are running already.'),
      forbidden('update', label.toLowerCase()),
    ],
  }
}

export const LIST_BULK_CHANGES: Operation = {
  ...{ id: 'listBulkChanges', tag, summary: 'List bulk changes' },
  description:
    'Returns those of the last 30 days, the newest first, of kinds that the token may write. Members see their own, owners and ' +
    'admins all.',
  query: pageQuery,
  success: {
    status: 200,
    description: 'A page of bulk changes.',
    response: { name: 'BulkChangeListResponse', schema: listResponse(bulk_changes.item) },
  },
  errors: [INVALID_PAGING, NO_SCOPE],
}

export const GET_BULK_CHANGE: Operation = {
  ...{ id: 'getBulkChange', tag, summary: 'Retrieve a bulk change', params, success },
  description: 'Returns how far a bulk change is.',
  errors: [NO_SCOPE, NOT_FOUND, UNKNOWN_PARAMETER],
}

export const LIST_BULK_FAILURES: Operation = {
  ...{ id: 'listBulkFailures', tag, summary: 'List what a bulk change has left', params },
  description:
    'Returns the records that the change, or its reversal, has left as they were, with the reason.',
  query: pageQuery,
  success: {
    status: 200,
    description: 'A page of records.',
    response: { name: 'BulkFailureListResponse', schema: listResponse(bulk_failures.item) },
  },
  errors: [INVALID_PAGING, NO_SCOPE, NOT_FOUND],
}

const step = (verb: string, summary: string, description: string, state: string): Operation => ({
  ...{ id: `${verb}BulkChange`, tag, summary, description, params, body: NOTHING, success },
  errors: [
    ...BODY_ERRORS,
    validationError({ mode: 'Unknown field.' }),
    NO_SCOPE,
    conflict('state', state),
    NOT_FOUND,
  ],
})

/** Steps that take no input. */
export const BULK_STEPS = {
  stop: step(
    'stop',
    'Stop a bulk change',
    'Ends the change. What was changed stays.',
    'Is done. Must be running.',
  ),
  revert: step(
    'revert',
    'Revert a bulk change',
    'Sets the records as they were, in the background, except those that were changed since. Possible for 30 days, and not for a ' +
      'deletion.',
    'Is running. Must be done or stopped.',
  ),
} as const
