import { conflict, forbidden, insufficientScope, type UpsertKind, validationError } from '@sales-crm/core'
import { itemResponse, RESOURCES, upsertInput } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { BODY_ERRORS, partialUpdateError } from './body-errors.ts'
import type { Operation } from './operation.ts'
import type { RecordDocument } from './record-operations.ts'

/** Change or create, by a value that the record holds. */
export function upsertOperation(
  kind: UpsertKind,
  { name, label, tag, responses, acceptsDeals, hasAssociations }: RecordDocument,
): Operation {
  const noun = label.toLowerCase()
  return {
    ...{ id: `upsert${name}`, tag, summary: `Create or update a ${noun}` },
    description:
      `Changes the ${noun} that holds the value of \`match\`, or creates one that does (201). Of calls at the same time with ` +
      'one value, one creates the record and the others change it.',
    body: {
      name: `${name}Upsert`,
      schema: v.object({ match: upsertInput(kind).entries.match, record: RESOURCES[kind].update }),
    },
    success: {
      status: 200,
      description: `The ${noun} after the change.`,
      response: { name: `${name}Response`, schema: itemResponse(responses.detail) },
    },
    createdDescription: `The new ${noun}.`,
    errors: [
      ...BODY_ERRORS,
      validationError({ match: 'Must have exactly one of: external_id.' }),
      forbidden('update', noun),
      ...(acceptsDeals ? [insufficientScope('deals:write')] : []),
      conflict('match', 'Several records hold this value.'),
      ...(hasAssociations ? [partialUpdateError(label)] : []),
    ],
  }
}
