import * as v from 'valibot'
import { listOf } from '../kernel/object-schemas.ts'
import { textResponse } from '../kernel/response-schemas.ts'
import { jsonSchema, singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { MAX_ATTACHMENTS } from './file-limits.ts'
import { fileUrl } from './file-url.ts'
import { definePart } from './kind.ts'
import { storedCount, storedText, textOf, uuidType } from './value-types.ts'
import { derived, input } from './view-fields.ts'

const filename = v.pipe(
  singleLineText(1, 255),
  v.check((name) => !/[/\\]/.test(name), 'Must not contain slashes or backslashes.'),
  jsonSchema({ pattern: '^[^/\\\\]*$' }),
  v.check((name) => name !== '.' && name !== '..', 'Must be the name of a file.'),
)

export const attachments = definePart({
  label: 'Attachment',
  collection: 'attachments',
  fields: {
    id: id('01a1fc31-29eb-777d-afeb-106406e695a8'),
    filename: value(textOf(filename), {
      ...{ need: 'required', level: 'item' },
      description: 'File name.',
      inputDescription: 'File name without slashes.',
      example: 'Proposta.txt',
    }),
    content: input({
      description: 'Content in Base64, with or without a data URI prefix: 1 to 2 097 152 bytes.',
      schemas: { create: v.string('Must be a string.') },
    }),
    content_type: system(storedText, {
      ...{ level: 'item', initial: '' },
      description: 'Media type detected from the content, regardless of the file name.',
      example: 'text/plain; charset=utf-8',
    }),
    size: system(storedCount, {
      ...{ level: 'item', initial: 0 },
      description: 'Size in bytes.',
      example: 15,
    }),
    url: derived({
      ...{ level: 'item', response: textResponse, reads: ['file_key'] },
      derive: ({ file_key }: { readonly file_key: string }, { issuer, workspaceId }) =>
        fileUrl(issuer, workspaceId, file_key),
      description: 'URL of the file. It requires no token; anyone who has it can read the file.',
      example:
        'https://crm.example/files/01a1fc31-266f-71b1-a74e-0e333b1a6109/205bbe4cda1e5e166bbc774e144f07e8502d8d6cfd52f3c4aba2d8df5ef5a291',
    }),
    activity_id: system(uuidType, { level: 'hidden', initial: '', references: 'activities' }),
    /** Position in the activity, from 0. */
    position: system(storedCount, { level: 'hidden', initial: 0 }),
    /** The key of the file. */
    file_key: system(storedText, { level: 'hidden', initial: '' }),
    created_at: createdAt('hidden'),
    updated_at: updatedAt('hidden'),
  },
})

/** Metadata of an attachment; the content is the file with the same id. */
export interface Attachment extends RecordOf<typeof attachments.fields> {}

export const attachmentList = listOf(attachments.create, 0, MAX_ATTACHMENTS, 'attachments')
