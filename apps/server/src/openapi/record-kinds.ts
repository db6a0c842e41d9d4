import { conflict } from '@sales-crm/core'
import {
  activityQuery,
  dealQuery,
  querySchema,
  RESOURCES,
  responseSchemas,
} from '@sales-crm/core/declarations'
import type { RecordKind } from './record-operations.ts'

const {
  companies,
  custom_fields: customFields,
  lists,
  people,
  pipelines,
  products,
  tags,
  task_types: taskTypes,
  tasks,
} = RESOURCES

const KEY_CONFLICT = conflict('key')
const DELETE_NOTE = 'The record is no longer returned and cannot be restored.'
const MERGE_NOTE =
  'Changes only the fields in the body; `null` clears a field. ' +
  '`tags` and `lists` are replaced as a whole, `custom_fields` are merged by `key`.'
const REQUIRED_FIELDS_NOTE = 'Changes only the fields in the body; none may be `null`.'
const PATCH_NOTE = 'Changes only the fields in the body; `null` clears a field.'
const KEY_NOTE = 'The `key` is unique in the workspace. By default it is derived from the name.'
const LINKS_NOTE = 'Records linked to it then have `null` in its place.'
const SEARCH_NOTE = '`search` matches beginnings of words and ignores case and accents.'

export const PEOPLE: RecordKind = {
  ...{ name: 'Person', plural: 'People', label: 'Person', pluralLabel: 'people', tag: 'People' },
  responses: responseSchemas.people,
  query: querySchema(people.orderBy, people.filters),
  fieldErrors: { full_name: 'Required.', 'emails[0].email': 'Must be an e-mail address.' },
  ...{ dependsOnRole: true, hasAssociations: true, acceptsDeals: true },
  descriptions: {
    list: `Omits \`company\`, \`tags\` and \`lists\`. ${SEARCH_NOTE}`,
    create:
      'Only `full_name` is required. An `Idempotency-Key` makes it safe to retry. ' +
      '`deals` also requires the scope `deals:write`.',
    update: `${MERGE_NOTE} \`deals\` also requires the scope \`deals:write\`.`,
    remove: `${DELETE_NOTE} ${LINKS_NOTE}`,
  },
}

export const COMPANIES: RecordKind = {
  ...{ name: 'Company', plural: 'Companies', label: 'Company', pluralLabel: 'companies', tag: 'Companies' },
  responses: responseSchemas.companies,
  query: querySchema(companies.orderBy, companies.filters),
  fieldErrors: { full_name: 'Required.', website: 'Must be an http or https URL.' },
  ...{ dependsOnRole: true, hasAssociations: true, acceptsDeals: true },
  descriptions: {
    list: `Omits \`tags\` and \`lists\`. ${SEARCH_NOTE}`,
    create:
      'Only `full_name` is required. An `Idempotency-Key` makes it safe to retry. ' +
      '`deals` also requires the scope `deals:write`.',
    update: `${MERGE_NOTE} \`deals\` also requires the scope \`deals:write\`.`,
    remove: `${DELETE_NOTE} ${LINKS_NOTE}`,
  },
}

export const DEALS: RecordKind = {
  ...{ name: 'Deal', plural: 'Deals', label: 'Deal', pluralLabel: 'deals', tag: 'Deals' },
  responses: responseSchemas.deals,
  query: dealQuery,
  fieldErrors: { name: 'Required.', person_id: 'Person not found.' },
  ...{ dependsOnRole: true, hasAssociations: true },
  descriptions: {
    list: `Omits \`tags\` and \`lists\`. ${SEARCH_NOTE}`,
    create:
      'Only `name` is required. The default stage is the first one of the oldest pipeline. ' +
      'An `Idempotency-Key` makes it safe to retry.',
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
    update: conflict('stages', 'The stage "Proposal" holds 3 deals. Move or delete them first.'),
    remove: conflict('deals', 'Holds 3 deals. Move or delete them first.'),
  },
  dependsOnRole: true,
  descriptions: {
    list: 'Each pipeline with its stages.',
    create: 'The stages keep the order of the request.',
    update:
      `${REQUIRED_FIELDS_NOTE} \`stages\` replaces the list: ` +
      'an entry with an `id` keeps that stage, one without creates a stage, other stages are deleted.',
    remove: `${DELETE_NOTE} A pipeline that contains deals cannot be deleted.`,
  },
}

export const TASKS: RecordKind = {
  ...{ name: 'Task', plural: 'Tasks', label: 'Task', pluralLabel: 'tasks', tag: 'Tasks' },
  responses: responseSchemas.tasks,
  query: querySchema(tasks.orderBy, tasks.filters),
  fieldErrors: { title: 'Required.', type: 'Task type not found.' },
  dependsOnRole: true,
  descriptions: {
    list: 'Open tasks by due date: `completed=false&due_before=…&order_by=due_date&order=asc`.',
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
    update: `${REQUIRED_FIELDS_NOTE} A new title does not change the \`key\`.`,
    remove: `${DELETE_NOTE} Tasks of this type then have \`null\` in its place.`,
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
      'Activities of one person, company or deal: `entity` and `id` are required. ' +
      'The list for an unknown `id` is empty. Omits `attachments`.',
    create:
      'Only `content_html` is required. It is sanitized: scripts are removed. ' +
      'The maximum body size is 32 MiB.',
    update: `${PATCH_NOTE} Send \`entity\` and \`entity_id\` together. Attachments cannot be changed.`,
    remove: `${DELETE_NOTE} Its attachments are deleted too.`,
  },
}

export const PRODUCTS: RecordKind = {
  ...{ name: 'Product', plural: 'Products', label: 'Product', pluralLabel: 'products', tag: 'Products' },
  responses: responseSchemas.products,
  query: querySchema(products.orderBy, products.filters),
  fieldErrors: { currency: 'Required.', image: 'The server answered 404.' },
  conflicts: { create: conflict('code'), update: conflict('code') },
  dependsOnRole: true,
  descriptions: {
    list: SEARCH_NOTE,
    create:
      '`image` is the image in Base64, or an https URL from which it is downloaded once. ' +
      'The maximum body size is 4 MiB.',
    update: `${PATCH_NOTE} The maximum body size is 4 MiB.`,
    remove: `${DELETE_NOTE} Its image is deleted too.`,
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
    list: 'All tags of the workspace.',
    create: KEY_NOTE,
    update: `${REQUIRED_FIELDS_NOTE} A new name does not change the \`key\`.`,
    remove: `${DELETE_NOTE} It is removed from all records.`,
  },
}

export const LISTS: RecordKind = {
  ...{ name: 'List', plural: 'Lists', label: 'List', pluralLabel: 'lists', tag: 'Lists' },
  responses: responseSchemas.lists,
  query: querySchema(lists.orderBy, lists.filters),
  fieldErrors: { name: 'Required.' },
  dependsOnRole: true,
  descriptions: {
    list: 'Each list with its number of records. `GET /v1/people?list_id=…` returns the people on a list.',
    create: 'Add people, companies and deals to the list with their field `lists`.',
    update: PATCH_NOTE,
    remove: `${DELETE_NOTE} Records on it are not deleted.`,
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
    update: conflict('value', '3 records hold the option "red". Change them first.'),
  },
  dependsOnRole: true,
  descriptions: {
    list: 'All custom fields of the workspace.',
    create:
      '`value` contains the options of `select` and `multi_select` fields; omit it for other types. ' +
      'A workspace has at most 500 custom fields.',
    update:
      `${REQUIRED_FIELDS_NOTE} \`key\` and \`type\` cannot be changed. ` +
      'An option that a record uses cannot be removed.',
    remove: `${DELETE_NOTE} Its values are no longer returned.`,
  },
}
