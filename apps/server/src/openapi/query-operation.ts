import type { GenericSchema } from 'valibot'
import { BODY_ERRORS } from './body-errors.ts'
import type { Operation } from './operation.ts'
import { pageResponse, type RecordDocument } from './record-operations.ts'

/** A list whose query is a body. */
export function queryOperation(document: RecordDocument, schema: GenericSchema): Operation {
  const { name, plural, pluralLabel, tag } = document
  return {
    ...{ id: `query${plural}`, tag, summary: `Query ${pluralLabel}` },
    description: `Returns what \`GET\` returns for the same parameters. For a \`filter\` that is longer than an address takes.`,
    body: { name: `${name}Query`, schema },
    success: pageResponse(document),
    errors: BODY_ERRORS,
  }
}
