import * as v from 'valibot'
import { uuid } from '../kernel/field-schemas.ts'
import { listOf, object, resettable } from '../kernel/object-schemas.ts'
import { jsonSchema, singleLineText } from '../kernel/text-schemas.ts'
import { searchTerms } from './common-fields.ts'
import {
  type CustomValues,
  type CustomValueView,
  customValueResponse,
  type StoredValue,
} from './custom-value.ts'
import { system } from './fields.ts'
import { storedJson } from './value-types.ts'
import { input, loaded, views } from './view-fields.ts'

/** Maximum number of each in one call. Bounds the time of its transaction. */
export const MAX_ASSOCIATIONS = 100

export const tagNames = listOf(singleLineText(1, 60), 0, MAX_ASSOCIATIONS, 'tags')
export const listIds = listOf(uuid, 0, MAX_ASSOCIATIONS, 'lists')
const dealIds = listOf(uuid, 0, MAX_ASSOCIATIONS, 'deals')

const stringArray = { type: 'array', items: { type: 'string' } }
const customFieldValue = v.pipe(
  v.unknown(),
  jsonSchema({
    anyOf: [{ type: 'string' }, { type: 'number' }, stringArray, { type: 'object' }, { type: 'null' }],
  }),
) as v.GenericSchema<StoredValue | null, unknown>
const customFields = listOf(
  object({ key: singleLineText(1, 60), value: customFieldValue }),
  0,
  200,
  'custom fields',
)

/**
 * Tags, lists and custom values of people, companies and deals, stored with the record and indexed in
 * `search_terms`.
 */
export function associationFields(example: CustomValueView) {
  return {
    custom_fields: loaded({
      level: 'item',
      reads: ['custom_values'],
      response: v.array(customValueResponse) as v.GenericSchema<unknown, readonly CustomValueView[]>,
      description: 'Custom fields with a value, in the order in which the fields were created.',
      inputDescription: {
        create: 'Values of custom fields, each field at most once.',
        update: 'Values of custom fields, each field at most once. Other fields stay unchanged.',
      },
      example: [example],
      schemas: { create: v.nullish(customFields), update: v.optional(customFields) },
    }),
    tags: views('tags', {
      ...{ shows: 'summary', level: 'detail', column: 'tag_ids', included: true },
      description: 'Tags, in the order in which they were assigned. In lists only if they are included.',
      inputDescription: {
        create: 'Tags by id or key.',
        update: 'Tags by id or key. Replaces the current tags.',
      },
      schemas: { create: v.nullish(tagNames), update: resettable(tagNames, []) },
    }),
    lists: views('lists', {
      ...{ shows: 'summary', level: 'detail', column: 'list_ids', included: true },
      description: 'Lists that contain the record. In lists only if they are included.',
      inputDescription: { create: 'Lists by id.', update: 'Lists by id. Replaces the current lists.' },
      schemas: { create: v.nullish(listIds), update: resettable(listIds, []) },
    }),
    tag_ids: system(storedJson<readonly string[]>(), { level: 'hidden', initial: [] }),
    list_ids: system(storedJson<readonly string[]>(), { level: 'hidden', initial: [] }),
    custom_values: system(storedJson<CustomValues>(), { level: 'hidden', initial: {} }),
    search_terms: searchTerms,
  }
}

/** Deals that a person or company is linked to. */
export const linkedDeals = input({
  description: 'Deals by id; they are linked to the record.',
  inputDescription: {
    create: 'Deals by id; they are linked to the record.',
    update: 'Deals by id. Replaces the current links: deals that are not listed are unlinked.',
  },
  schemas: { create: v.nullish(dealIds), update: resettable(dealIds, []) },
})

/** The columns of associations. */
export interface AssociationFields {
  readonly tag_ids: readonly string[]
  readonly list_ids: readonly string[]
  readonly custom_values: CustomValues
  readonly search_terms: string
}
