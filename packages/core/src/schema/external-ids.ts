import * as v from 'valibot'
import { key } from '../kernel/field-schemas.ts'
import { listOf, object } from '../kernel/object-schemas.ts'
import { responseSchema, textResponse } from '../kernel/response-schemas.ts'
import { jsonSchema, singleLineText } from '../kernel/text-schemas.ts'
import { distinctEntries } from './distinct-entries.ts'
import { value } from './fields.ts'
import type { FilterRule } from './filter-rules.ts'
import { jsonOf } from './value-types.ts'

/** The id of a record in another system. */
export interface ExternalId {
  /** Names the other system: lower-case letters and digits, joined by single underscores. */
  readonly source: string
  /** At most 255 characters, compared as they are. */
  readonly id: string
}

/** Maximum number per record. */
const MAX_EXTERNAL_IDS = 10

export const externalId = object({ source: key, id: singleLineText(1, 255) })

const externalIdList = v.pipe(
  listOf(externalId, 0, MAX_EXTERNAL_IDS, 'entries'),
  distinctEntries<v.InferOutput<typeof externalId>>('id', formatExternalId),
)

export const externalIdResponse = responseSchema<ExternalId>()({ source: textResponse, id: textResponse })

/** `hubspot:4711` */
export function formatExternalId({ source, id }: ExternalId): string {
  return `${source}:${id}`
}

const EXTERNAL_ID_RULE = 'Must be a source and an id, such as hubspot:4711.'

/** Reads what `formatExternalId` returns. */
const externalIdParameter = v.pipe(
  v.string('Must be a string.'),
  v.check((text) => v.is(externalId, splitExternalId(text)), EXTERNAL_ID_RULE),
  jsonSchema({ type: 'string', maxLength: 291 }),
  v.transform((text) => v.parse(externalId, splitExternalId(text))),
) as v.GenericSchema<string, ExternalId>

function splitExternalId(text: string): ExternalId {
  const end = text.indexOf(':')
  return { source: text.slice(0, Math.max(end, 0)), id: text.slice(end + 1) }
}

const byExternalId: FilterRule<typeof externalIdParameter> = {
  match: 'external_id',
  schema: externalIdParameter,
  description: 'The record with this id in another system: source and id, such as `hubspot:4711`.',
}

/** The ids of a record in other systems. */
export const externalIds = value(
  jsonOf<readonly ExternalId[], typeof externalIdList>(externalIdList, v.array(externalIdResponse)),
  {
    ...{ need: 'resettable', initial: [], level: 'detail', included: true },
    filters: { external_id: byExternalId },
    description:
      'Ids of the record in other systems, each unique among the records of its kind. In lists only if it is included.',
    inputDescription: {
      create: 'Ids of the record in other systems, each unique among the records of its kind.',
      update: 'Replaces the current ids in other systems. Each is unique among the records of its kind.',
    },
    example: [{ source: 'hubspot', id: '4711' }],
  },
)

/** The column of kinds with ids in other systems. */
export interface HasExternalIds {
  readonly external_ids: readonly ExternalId[]
}
