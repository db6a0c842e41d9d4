import * as v from 'valibot'
import { oneOf, uuid } from '../kernel/field-schemas.ts'
import type { Instant } from '../kernel/instant.ts'
import { uuidResponse } from '../kernel/response-schemas.ts'
import { multiLineText } from '../kernel/text-schemas.ts'
import { attachmentList } from './attachment.ts'
import { createdAt, id, owner, searchTerms, updatedAt } from './common-fields.ts'
import { externalIds } from './external-ids.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { type NoFilters, since, until } from './filter-rules.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, PATCH_NOTE, SEARCH_NOTE } from './operation-notes.ts'
import { storedCount, textOf, uuidType } from './value-types.ts'
import { loaded, views } from './view-fields.ts'

/** The kinds of records an activity can be linked to, by their names in the API. */
export const ENTITIES = ['people', 'companies', 'deals'] as const

export type Entity = (typeof ENTITIES)[number]

const entity = oneOf(ENTITIES)

const contentHtml = v.pipe(
  multiLineText(100_000),
  v.check((html) => html.trim() !== '', 'Required.'),
)

/**
 * A note about a person, company or deal: at most one of the three is set.
 */
export const activities = defineKind({
  label: 'Activity',
  collection: 'activities',
  scopes: { read: 'activities:read', write: 'activities:write' },
  memberAccess: 'records',
  fields: {
    id: id('01a1fc31-29eb-7612-82a8-d496972b9722'),
    entity: loaded({
      ...{ level: 'item', reads: ['person_id', 'company_id', 'deal_id'] },
      response: v.nullable(v.picklist(ENTITIES)),
      description: 'Type of the related record.',
      inputDescription: 'Type of the related record. Required together with `entity_id`.',
      example: 'people',
      schemas: { create: v.nullish(entity), update: v.optional(v.nullable(entity)) },
    }),
    entity_id: loaded({
      ...{ level: 'item', response: v.nullable(uuidResponse) },
      description: 'Id of the record the activity is about.',
      inputDescription: 'Id of the related record. Required together with `entity`.',
      example: '01a1fc31-2860-78c5-98aa-1e202d361899',
      schemas: { create: v.nullish(uuid), update: v.optional(v.nullable(uuid)) },
    }),
    person_id: system(uuidType, { level: 'hidden', initial: null, references: 'people' }),
    company_id: system(uuidType, { level: 'hidden', initial: null, references: 'companies' }),
    deal_id: system(uuidType, { level: 'hidden', initial: null, references: 'deals' }),
    /** Sanitized: formatting only, without scripts and styles. */
    content_html: value(textOf(contentHtml), {
      ...{ need: 'required', level: 'item' },
      description: 'Sanitized HTML without scripts.',
      inputDescription: 'HTML. It is sanitized: scripts are removed, and the text of other tags is kept.',
      example: '<p>Called: she wants <b>twenty</b> licences.</p>',
    }),
    attachments_count: system(storedCount, {
      ...{ level: 'item', initial: 0 },
      description: 'Number of attachments.',
      example: 1,
    }),
    owner: owner('item'),
    created_at: createdAt('item', {
      filters: {
        created_after: since('Created at or after this time.'),
        created_before: until('Created at or before this time.'),
      },
    }),
    /** Null until the first update. */
    updated_at: updatedAt<'item', NoFilters, true, Instant | null>('item', {
      ...{ sortable: true, initial: null, example: null },
      description: 'Time of the last change; `null` if never changed.',
    }),
    external_ids: externalIds,
    search_terms: searchTerms,
    attachments: views('attachments', {
      ...{ shows: 'item', level: 'detail' },
      description: 'Attachments, in order.',
      schemas: { create: v.nullish(attachmentList) },
    }),
  },
  check: {
    create: (schema) => checkLinkFields(schema, rankInCreate),
    update: (schema) => checkLinkFields(schema, rankInUpdate),
  },
  texts: {
    about: 'Notes and calls with attachments.',
    list:
      'Activities of one person, company or deal: `entity` and `id` are required. ' +
      `The list for an unknown \`id\` is empty. Omits \`attachments\`. ${SEARCH_NOTE}`,
    create:
      'Only `content_html` is required. It is sanitized: scripts are removed. ' +
      'The maximum body size is 32 MiB.',
    update: `${PATCH_NOTE} Send \`entity\` and \`entity_id\` together. Attachments cannot be changed.`,
    remove: `${DELETE_NOTE} Its attachments are deleted too.`,
  },
  errorExamples: { content_html: 'Required.', entity_id: 'Required together with entity.' },
  inputExamples: {
    create: {
      entity: 'people',
      entity_id: '01a1fc31-2860-78c5-98aa-1e202d361899',
      content_html: '<p>Called: she wants <b>twenty</b> licences.</p>',
    },
    update: { entity: 'companies', entity_id: '01a1fc31-2721-7fc2-8286-c15d94073769' },
  },
})

/** A note about a person, company or deal: at most one of the three is set. */
export interface Activity extends RecordOf<typeof activities.fields> {}

/**
 * Adds a check that `entity` and `entity_id` are sent together. `rank` orders values by how much they
 * specify: the error is set under the field with the lower rank.
 */
function checkLinkFields<S extends v.GenericSchema>(schema: S, rank: (value: unknown) => number) {
  return v.pipe(
    schema,
    v.rawCheck(({ dataset, addIssue }) => {
      const link: Readonly<Record<string, unknown>> = Object(dataset.value)
      const [entityRank, idRank] = [rank(link['entity']), rank(link['entity_id'])]
      if (entityRank === idRank) return
      const [key, other] = entityRank < idRank ? ['entity', 'entity_id'] : ['entity_id', 'entity']
      const path = [{ type: 'object', origin: 'value', input: link, key, value: link[key] }] as const
      addIssue({ message: `Required together with ${other}.`, path: [...path] })
    }),
  )
}

/** In a create, null equals an omitted field. */
function rankInCreate(value: unknown): number {
  return value == null ? 0 : 1
}

/** In an update, null removes the link and an omitted field keeps it. */
function rankInUpdate(value: unknown): number {
  return value === undefined ? 0 : 1 + rankInCreate(value)
}
