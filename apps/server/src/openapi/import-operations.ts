import { badRequest, CrmError, conflict, forbidden, notFound, validationError } from '@sales-crm/core'
import {
  decisionsInput,
  importChanges,
  importInput,
  itemResponse,
  listResponse,
  pageQuery,
  responseSchemas,
  runInput,
  uploadQuery,
} from '@sales-crm/core/declarations'
import { BODY_ERRORS, INVALID_PAGING, NO_FIELDS } from './body-errors.ts'
import type { Operation } from './operation.ts'
import { EMPTY_OBJECT } from './webhook-operations.ts'

const tag = 'Imports'
const { imports, kept_records } = responseSchemas
const IMPORT = { name: 'ImportResponse', schema: itemResponse(imports.detail) }
const NOTHING = { name: 'Nothing', schema: EMPTY_OBJECT, optional: true } as const
const params = {
  id: { description: 'Id of the import.', isId: true, example: '01a1fc31-2c90-7f14-a3d0-6c1b2a5e8f77' },
}
const [NOT_FOUND, WRONG_STATE] = [
  notFound('Import'),
  conflict('state', 'Is running. Must be ready or checked.'),
]
const success = { status: 200, description: 'The import.', response: IMPORT } as const

export const LIST_IMPORTS: Operation = {
  id: 'listImports',
  tag,
  summary: 'List imports',
  description: 'Returns the imports, the newest first. Members see their own, owners and admins all.',
  query: pageQuery,
  success: {
    status: 200,
    description: 'A page of imports.',
    response: { name: 'ImportListResponse', schema: listResponse(imports.item) },
  },
  errors: [INVALID_PAGING],
}

export const CREATE_IMPORT: Operation = {
  id: 'createImport',
  tag,
  summary: 'Begin an import',
  description:
    'Begins an import of a CSV, TSV or NDJSON file of up to 512 MB. Its bytes follow with `PUT`. The file counts in the bytes ' +
    'of the workspace until it is deleted.',
  body: { name: 'NewImport', schema: importInput },
  success: { status: 201, description: 'The import, which waits for its file.', response: IMPORT },
  errors: [
    ...BODY_ERRORS,
    validationError({ size: 'Must be an integer between 1 and 512000000.' }),
    new CrmError(
      'conflict',
      'No process of this service does background work. Its operator starts it with startBackground().',
    ),
  ],
}

export const GET_IMPORT: Operation = {
  id: 'getImport',
  tag,
  summary: 'Retrieve an import',
  description: 'Returns an import with its columns, its rules, and how far it is.',
  params,
  success,
  errors: [NOT_FOUND],
}

export const UPDATE_IMPORT: Operation = {
  id: 'updateImport',
  tag,
  summary: 'Change columns and rules',
  description:
    'Changes what the columns become, and the rules. Another `encoding`, `delimiter`, `has_header` or `kind` reads the file ' +
    'again. `keep_history` is for owners and admins with the scope `imports:manage`.',
  params,
  body: { name: 'ImportChanges', schema: importChanges, changes: true },
  success,
  errors: [
    ...BODY_ERRORS,
    NO_FIELDS,
    validationError({ 'columns[0].target.field': 'Custom field not found.' }),
    forbidden('update', 'import', { keep_history: 'Is for owners and admins.' }),
    conflict('state', 'Is running: it has begun.'),
    NOT_FOUND,
  ],
}

export const DELETE_IMPORT: Operation = {
  id: 'deleteImport',
  tag,
  summary: 'Delete an import',
  description: 'Deletes the import with its file. Its records stay, and it can no longer be reverted.',
  params,
  success: { status: 204, description: 'The import was deleted.' },
  errors: [NOT_FOUND, conflict('state', 'Is running. Cancel it first.')],
}

export const UPLOAD_PART: Operation = {
  id: 'uploadImportPart',
  tag,
  summary: 'Send a part of the file',
  description:
    'Appends up to 8 MiB of the file. Each part begins where the parts before it end: `received` of the import says where that ' +
    'is, also after a call that was cut. With the last part the file is read, and its columns are proposed.',
  params,
  query: uploadQuery,
  bytes: 'The bytes of the part.',
  success,
  errors: [
    badRequest('Request body is too large.'),
    badRequest('The body must have at least one byte of the file.'),
    validationError({ offset: 'Must be a whole number from 0 to 512000000.' }),
    conflict('offset', 'Must be 8388608, where the file goes on.'),
    NOT_FOUND,
  ],
}

export const RUN_IMPORT: Operation = {
  id: 'runImport',
  tag,
  summary: 'Run an import',
  description:
    'Writes the rows in the background, with the events of each record. New custom fields are made first. Of a workspace one ' +
    'import runs, and five wait. Needs the `:write` scope of each kind that the rows have.',
  params,
  body: { name: 'ImportRun', schema: runInput, optional: true },
  success,
  errors: [
    ...BODY_ERRORS,
    validationError({
      confirm_deliveries:
        'Must be true: webhooks may get 250000 deliveries. With events set to summary they get one.',
    }),
    forbidden('create', 'product'),
    WRONG_STATE,
    NOT_FOUND,
  ],
}

export const FAILED_ROWS: Operation = {
  id: 'getFailedRows',
  tag,
  summary: 'Download the failed rows',
  description:
    'Returns the rows of which something was left out, in the columns of the file, with the reasons in `error`.',
  params,
  success: { status: 200, description: 'CSV in UTF-8.', types: ['text/csv'] },
  errors: [NOT_FOUND],
}

export const LIST_KEPT: Operation = {
  id: 'listKeptRecords',
  tag,
  summary: 'List what a reversal has left',
  description:
    'Returns the records that a reversal has left, since somebody has changed them since, or linked another record to them.',
  params,
  query: pageQuery,
  success: {
    status: 200,
    description: 'A page of records.',
    response: { name: 'KeptRecordListResponse', schema: listResponse(kept_records.item) },
  },
  errors: [INVALID_PAGING, NOT_FOUND],
}

export const DECIDE_KEPT: Operation = {
  id: 'decideKeptRecords',
  tag,
  summary: 'Decide on what a reversal has left',
  description: 'Keeps records as they are, or takes them back in spite of what was changed since.',
  params,
  body: { name: 'Decisions', schema: decisionsInput },
  success,
  errors: [
    ...BODY_ERRORS,
    validationError({ 'decisions[0].number': 'Is decided already, or was not kept.' }),
    conflict('state', 'Is reverting. Must be reverted.'),
    NOT_FOUND,
  ],
}

const step = (
  id: string,
  summary: string,
  description: string,
  errors: readonly CrmError[] = [],
): Operation => ({
  ...{ id, tag, summary, description, params, body: NOTHING, success },
  errors: [...BODY_ERRORS, validationError({ mode: 'Unknown field.' }), ...errors, WRONG_STATE, NOT_FOUND],
})

/** Steps that take no input. */
export const IMPORT_STEPS = {
  check: step(
    'checkImport',
    'Check an import',
    'Checks all rows in the background, and writes nothing. `report` then says what would be made and changed, and what would ' +
      'be left out.',
    [forbidden('create', 'product')],
  ),
  pause: step('pauseImport', 'Pause an import', 'Stops the run after the rows at hand.'),
  resume: step('resumeImport', 'Resume an import', 'Goes on at the row that the import had reached.'),
  cancel: step('cancelImport', 'Cancel an import', 'Ends a check or a run. What is written stays.'),
  revert: step(
    'revertImport',
    'Revert an import',
    'Deletes what the import made and restores what it changed, in the background, with the events of each. What somebody has ' +
      'changed since stays. Possible until `expires_at`.',
  ),
} as const
