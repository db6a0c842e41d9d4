import {
  activityQuery,
  companies,
  conflict,
  customFields,
  deals,
  lists,
  people,
  pipelines,
  products,
  querySchema,
  responseSchemas,
  tags,
  tasks,
  taskTypes,
} from '@sales-crm/core'
import type { RecordKind } from './record-operations.ts'

const KEY_CONFLICT = conflict('key')
const DELETE_NOTE = 'It is not answered any more, and cannot be brought back.'
const MERGE_NOTE =
  'Only the fields that are sent change; `null` clears one. ' +
  '`tags` and `lists` are replaced as a whole, `custom_fields` are merged by `key`.'
const REQUIRED_FIELDS_NOTE = 'Only the fields that are sent change; none can be `null`.'
const PATCH_NOTE = 'Only the fields that are sent change; `null` clears one.'
const KEY_NOTE = 'The `key` is made from the name unless it is sent, and is unique in the workspace.'
const LINKS_NOTE = 'Whatever is linked to it shows `null` in its place.'
const SEARCH_NOTE = '`search` finds by words that begin so, whatever the case and the accents.'

export const PEOPLE: RecordKind = {
  ...{ name: 'Person', plural: 'People', label: 'Person', pluralLabel: 'people', tag: 'People' },
  responses: responseSchemas.people,
  query: querySchema(people.orderBy, people.filters),
  fieldErrors: { full_name: 'Required.', 'emails[0].email': 'Must be an e-mail address.' },
  ...{ dependsOnRole: true, hasAssociations: true, acceptsDeals: true, takesIdempotencyKey: true },
  descriptions: {
    list: `Leaves out \`company\`, \`tags\` and \`lists\`. ${SEARCH_NOTE}`,
    create:
      'Only `full_name` is required. With an `Idempotency-Key` it is safe to send again. ' +
      '`deals` asks for the scope `deals:write` as well.',
    update: `${MERGE_NOTE} \`deals\` asks for the scope \`deals:write\` as well.`,
    remove: `${DELETE_NOTE} ${LINKS_NOTE}`,
  },
}

export const COMPANIES: RecordKind = {
  ...{ name: 'Company', plural: 'Companies', label: 'Company', pluralLabel: 'companies', tag: 'Companies' },
  responses: responseSchemas.companies,
  query: querySchema(companies.orderBy, companies.filters),
  fieldErrors: { full_name: 'Required.', website: 'Must be an http or https URL.' },
  ...{ dependsOnRole: true, hasAssociations: true, acceptsDeals: true, takesIdempotencyKey: true },
  descriptions: {
    list: `Leaves out \`tags\` and \`lists\`. ${SEARCH_NOTE}`,
    create:
      'Only `full_name` is required. With an `Idempotency-Key` it is safe to send again. ' +
      '`deals` asks for the scope `deals:write` as well.',
    update: `${MERGE_NOTE} \`deals\` asks for the scope \`deals:write\` as well.`,
    remove: `${DELETE_NOTE} ${LINKS_NOTE}`,
  },
}

export const DEALS: RecordKind = {
  ...{ name: 'Deal', plural: 'Deals', label: 'Deal', pluralLabel: 'deals', tag: 'Deals' },
  responses: responseSchemas.deals,
  query: querySchema(deals.orderBy, deals.filters),
  fieldErrors: { name: 'Required.', person_id: 'Person not found.' },
  ...{ dependsOnRole: true, hasAssociations: true, takesIdempotencyKey: true },
  descriptions: {
    list: `Leaves out \`tags\` and \`lists\`. ${SEARCH_NOTE}`,
    create:
      'Only `name` is required: the deal begins in the first stage of the oldest pipeline. ' +
      'With an `Idempotency-Key` it is safe to send again.',
    update:
      `${MERGE_NOTE} A \`stage_id\` moves the deal; ` +
      "a `pipeline_id` alone moves it to that pipeline's first stage.",
    remove: `${DELETE_NOTE} ${LINKS_NOTE}`,
  },
}

export const PIPELINES: RecordKind = {
  ...{ name: 'Pipeline', plural: 'Pipelines', label: 'Pipeline', pluralLabel: 'pipelines', tag: 'Pipelines' },
  responses: responseSchemas.pipelines,
  query: querySchema(pipelines.orderBy, pipelines.filters),
  fieldErrors: { name: 'Required.', 'stages[0].probability': 'Must be an integer between 0 and 100.' },
  conflicts: {
    update: conflict('stages', 'A stage that is to be removed still holds deals.'),
    remove: conflict('deals', 'The pipeline still holds deals.'),
  },
  dependsOnRole: true,
  descriptions: {
    list: 'Each with its stages.',
    create: 'With its stages, in their order.',
    update:
      `${REQUIRED_FIELDS_NOTE} \`stages\` replaces the list: ` +
      'an entry with an `id` keeps that stage, one without is new, a stage that is not named goes.',
    remove: `${DELETE_NOTE} One that still holds deals cannot go.`,
  },
}

export const TASKS: RecordKind = {
  ...{ name: 'Task', plural: 'Tasks', label: 'Task', pluralLabel: 'tasks', tag: 'Tasks' },
  responses: responseSchemas.tasks,
  query: querySchema(tasks.orderBy, tasks.filters),
  fieldErrors: { title: 'Required.', type: 'Task type not found.' },
  dependsOnRole: true,
  descriptions: {
    list:
      'What is to be done until then, the most urgent first, is ' +
      '`completed=false&due_before=…&order_by=due_date&order=asc`.',
    create: 'Only `title` is required.',
    update: `${PATCH_NOTE} \`completed: true\` completes the task.`,
    remove: DELETE_NOTE,
  },
}

export const TASK_TYPES: RecordKind = {
  ...{
    name: 'TaskType',
    plural: 'TaskTypes',
    label: 'Task type',
    pluralLabel: 'task types',
    tag: 'Task types',
  },
  responses: responseSchemas['task-types'],
  query: querySchema(taskTypes.orderBy, taskTypes.filters),
  fieldErrors: { title: 'Required.', color: 'Must be a hex color such as #6b7280.' },
  conflicts: { create: KEY_CONFLICT, update: KEY_CONFLICT },
  dependsOnRole: true,
  descriptions: {
    list: 'A new workspace has `call`, `email`, `meeting` and `task`.',
    create: KEY_NOTE,
    update: `${REQUIRED_FIELDS_NOTE} A new title leaves the \`key\` as it is.`,
    remove: `${DELETE_NOTE} Tasks of the type show \`null\` in its place.`,
  },
}

export const ACTIVITIES: RecordKind = {
  ...{
    name: 'Activity',
    plural: 'Activities',
    label: 'Activity',
    pluralLabel: 'activities',
    tag: 'Activities',
  },
  responses: responseSchemas.activities,
  query: activityQuery,
  fieldErrors: { content_html: 'Required.', entity_id: 'Required together with entity.' },
  dependsOnRole: true,
  descriptions: {
    list:
      'Of one person, company or deal: `entity` and `id` are required. ' +
      'An `id` that is not there finds nothing. Leaves out `attachments`.',
    create:
      'Only `content_html` is required. It is cleaned: what a browser would run is taken out. ' +
      'The body may have 32 MiB.',
    update: `${PATCH_NOTE} \`entity\` and \`entity_id\` go together. Attachments stay as they are.`,
    remove: `${DELETE_NOTE} Its attachments go with it.`,
  },
}

export const PRODUCTS: RecordKind = {
  ...{ name: 'Product', plural: 'Products', label: 'Product', pluralLabel: 'products', tag: 'Products' },
  responses: responseSchemas.products,
  query: querySchema(products.orderBy, products.filters),
  fieldErrors: { currency: 'Required.', image: 'The image could not be fetched.' },
  conflicts: { create: conflict('code'), update: conflict('code') },
  dependsOnRole: true,
  descriptions: {
    list: SEARCH_NOTE,
    create:
      'With a picture, where `image` is sent: its bytes in Base64, or an https URL from which it is ' +
      'fetched once. The body may have 4 MiB.',
    update: `${PATCH_NOTE} The body may have 4 MiB.`,
    remove: `${DELETE_NOTE} Its picture goes with it.`,
  },
}

export const TAGS: RecordKind = {
  ...{ name: 'Tag', plural: 'Tags', label: 'Tag', pluralLabel: 'tags', tag: 'Tags' },
  responses: responseSchemas.tags,
  query: querySchema(tags.orderBy, tags.filters),
  fieldErrors: {
    name: 'Required.',
    key: 'Must be lower-case letters and digits, joined by single underscores.',
  },
  conflicts: { create: KEY_CONFLICT, update: KEY_CONFLICT },
  dependsOnRole: true,
  idParameter: { description: "The tag's id or its key.", isId: false, example: 'lead_quente' },
  descriptions: {
    list: 'All tags of the workspace, page by page.',
    create: KEY_NOTE,
    update: `${REQUIRED_FIELDS_NOTE} A new name leaves the \`key\` as it is.`,
    remove: `${DELETE_NOTE} Records that had it are shown without it.`,
  },
}

export const LISTS: RecordKind = {
  ...{ name: 'List', plural: 'Lists', label: 'List', pluralLabel: 'lists', tag: 'Lists' },
  responses: responseSchemas.lists,
  query: querySchema(lists.orderBy, lists.filters),
  fieldErrors: { name: 'Required.' },
  dependsOnRole: true,
  descriptions: {
    list: 'Each with how many records are on it. `GET /v1/people?list_id=…` finds them.',
    create: 'People, companies and deals are put on it by their own `lists`.',
    update: PATCH_NOTE,
    remove: `${DELETE_NOTE} Records that were on it stay.`,
  },
}

export const CUSTOM_FIELDS: RecordKind = {
  ...{
    name: 'CustomField',
    plural: 'CustomFields',
    label: 'Custom field',
    pluralLabel: 'custom fields',
    tag: 'Custom fields',
  },
  responses: responseSchemas['custom-fields'],
  query: querySchema(customFields.orderBy, customFields.filters),
  fieldErrors: { type: 'Required.', 'value.select_list[1].key': 'Must be unique in the list.' },
  conflicts: {
    create: KEY_CONFLICT,
    update: conflict('value', 'An option that is to be removed is still held by records.'),
  },
  dependsOnRole: true,
  descriptions: {
    list: 'All fields of the workspace, page by page.',
    create:
      '`value` holds the options of `select` and `multi_select`, and is left out for the others. ' +
      'A workspace has at most 500 fields.',
    update:
      `${REQUIRED_FIELDS_NOTE} \`key\` and \`type\` stay as they were made. ` +
      'An option that records hold cannot go.',
    remove: `${DELETE_NOTE} Its values are hidden for good.`,
  },
}
