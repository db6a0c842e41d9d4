import { validationError } from '@sales-crm/core'
import { type ExportKind, exportQuery, RESOURCES } from '@sales-crm/core/declarations'
import { UNKNOWN_PARAMETER } from './body-errors.ts'
import type { Operation } from './operation.ts'
import type { RecordDocument } from './record-operations.ts'

export const EXPORT_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** All records of a kind as a file. */
export function exportOperation(kind: ExportKind, { plural, pluralLabel, tag }: RecordDocument): Operation {
  const { filters } = RESOURCES[kind]
  return {
    ...{ id: `export${plural}`, tag, summary: `Export ${pluralLabel}` },
    description:
      `Returns all ${pluralLabel} that match, from one snapshot. A line of NDJSON is the record as it is retrieved alone. CSV has ` +
      'flat columns, in UTF-8 with a byte order mark; a cell that a spreadsheet would run begins with an apostrophe. The ' +
      'response begins when the file is complete. One export of a workspace at a time: another one gets a 429.',
    query: exportQuery<string, typeof filters>(RESOURCES[kind]),
    success: {
      status: 200,
      description: `The file with the ${pluralLabel}.`,
      types: Object.values(EXPORT_TYPES),
      headers: { 'Content-Disposition': '`attachment` and the file name, with the day in UTC.' },
    },
    errors: [validationError({ format: 'Must be one of: csv, ndjson.' }), UNKNOWN_PARAMETER],
  }
}
