import { forbidden, idempotencyConflict, validationError } from '@sales-crm/core'
import { batchInput, batchResponse } from '@sales-crm/core/declarations'
import { BODY_ERRORS } from './body-errors.ts'
import type { Operation } from './operation.ts'
import type { RecordDocument } from './record-operations.ts'

/** Up to a hundred creates, changes and deletions in one call. */
export function batchOperation({
  name,
  responses,
  plural,
  pluralLabel,
  label,
  tag,
}: RecordDocument): Operation {
  return {
    ...{ id: `batch${plural}`, tag, summary: `Create, update and delete many ${pluralLabel}` },
    description:
      'Runs up to 100 operations in one transaction, in their order, and counts as one call. `data` has a status and a body for ' +
      'each, as the same call alone has them; that of a deletion is `null`. With `atomic`, nothing is written if one fails, and ' +
      'the response is its error, with fields below `operations[n].`. Images and attachments are sent in calls of their own.',
    body: { name: 'Batch', schema: batchInput },
    takesIdempotencyKey: true,
    success: {
      status: 200,
      description: 'The result of each operation, in the order of the operations.',
      response: { name: `${name}BatchResponse`, schema: batchResponse(responses.detail) },
    },
    errors: [
      ...BODY_ERRORS,
      validationError({ 'operations[0].op': 'Must be one of: create, update, upsert, delete.' }),
      idempotencyConflict(),
      forbidden('update', label.toLowerCase()),
    ],
  }
}
