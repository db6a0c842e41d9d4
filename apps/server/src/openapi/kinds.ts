import {
  activityQuery,
  answers,
  companies,
  conflict,
  customFields,
  deals,
  lists,
  people,
  pipelines,
  products,
  querySchema,
  tags,
  tasks,
  taskTypes,
} from '@sales-crm/core'
import type { Kind } from './record-operations.ts'

const KEY_TAKEN = conflict('key')
const FINAL = 'It is not answered any more, and cannot be brought back.'
const MERGED =
  'Only the fields that are sent change; `null` clears one. `tags` and `lists` are replaced as a whole, `custom_fields` are merged by `key`.'
const SETTLED = 'Only the fields that are sent change; none can be `null`.'
const PARTLY = 'Only the fields that are sent change; `null` clears one.'
const KEYED = 'The `key` is made from the name unless it is sent, and is unique in the workspace.'
const HIDDEN = 'Whatever is linked to it shows `null` in its place.'
const SEARCHED = '`search` finds by words that begin so, whatever the case and the accents.'

export const PEOPLE: Kind = {
  ...{ name: 'Person', plural: 'People', label: 'Person', many: 'people', tag: 'People' },
  answers: answers.people,
  query: querySchema(people.orderBy, people.filters),
  faults: { full_name: 'Required.', 'emails[0].email': 'Must be an e-mail address.' },
  ...{ byRole: true, associated: true, takesDeals: true, takesIdempotencyKey: true },
  notes: {
    list: `Leaves out \`company\`, \`tags\` and \`lists\`. ${SEARCHED}`,
    create:
      'Only `full_name` is required. With an `Idempotency-Key` it is safe to send again. `deals` asks for the scope `deals:write` as well.',
    update: `${MERGED} \`deals\` asks for the scope \`deals:write\` as well.`,
    remove: `${FINAL} ${HIDDEN}`,
  },
}

export const COMPANIES: Kind = {
  ...{ name: 'Company', plural: 'Companies', label: 'Company', many: 'companies', tag: 'Companies' },
  answers: answers.companies,
  query: querySchema(companies.orderBy, companies.filters),
  faults: { full_name: 'Required.', website: 'Must be an http or https URL.' },
  ...{ byRole: true, associated: true, takesDeals: true, takesIdempotencyKey: true },
  notes: {
    list: `Leaves out \`tags\` and \`lists\`. ${SEARCHED}`,
    create:
      'Only `full_name` is required. With an `Idempotency-Key` it is safe to send again. `deals` asks for the scope `deals:write` as well.',
    update: `${MERGED} \`deals\` asks for the scope \`deals:write\` as well.`,
    remove: `${FINAL} ${HIDDEN}`,
  },
}

export const DEALS: Kind = {
  ...{ name: 'Deal', plural: 'Deals', label: 'Deal', many: 'deals', tag: 'Deals' },
  answers: answers.deals,
  query: querySchema(deals.orderBy, deals.filters),
  faults: { name: 'Required.', person_id: 'Person not found.' },
  ...{ byRole: true, associated: true, takesIdempotencyKey: true },
  notes: {
    list: `Leaves out \`tags\` and \`lists\`. ${SEARCHED}`,
    create:
      'Only `name` is required: the deal begins in the first stage of the oldest pipeline. With an `Idempotency-Key` it is safe to send again.',
    update: `${MERGED} A \`stage_id\` moves the deal; a \`pipeline_id\` alone moves it to that pipeline's first stage.`,
    remove: `${FINAL} ${HIDDEN}`,
  },
}

export const PIPELINES: Kind = {
  ...{ name: 'Pipeline', plural: 'Pipelines', label: 'Pipeline', many: 'pipelines', tag: 'Pipelines' },
  answers: answers.pipelines,
  query: querySchema(pipelines.orderBy, pipelines.filters),
  faults: { name: 'Required.', 'stages[0].probability': 'Must be an integer between 0 and 100.' },
  conflicts: {
    update: conflict('stages', 'A stage that is to be removed still holds deals.'),
    remove: conflict('deals', 'The pipeline still holds deals.'),
  },
  byRole: true,
  notes: {
    list: 'Each with its stages.',
    create: 'With its stages, in their order.',
    update: `${SETTLED} \`stages\` replaces the list: an entry with an \`id\` keeps that stage, one without is new, a stage that is not named goes.`,
    remove: `${FINAL} One that still holds deals cannot go.`,
  },
}

export const TASKS: Kind = {
  ...{ name: 'Task', plural: 'Tasks', label: 'Task', many: 'tasks', tag: 'Tasks' },
  answers: answers.tasks,
  query: querySchema(tasks.orderBy, tasks.filters),
  faults: { title: 'Required.', type: 'Task type not found.' },
  byRole: true,
  notes: {
    list: 'What is to be done until then, the most urgent first, is `completed=false&due_before=…&order_by=due_date&order=asc`.',
    create: 'Only `title` is required.',
    update: `${PARTLY} \`completed: true\` completes the task.`,
    remove: FINAL,
  },
}

export const TASK_TYPES: Kind = {
  ...{ name: 'TaskType', plural: 'TaskTypes', label: 'Task type', many: 'task types', tag: 'Task types' },
  answers: answers['task-types'],
  query: querySchema(taskTypes.orderBy, taskTypes.filters),
  faults: { title: 'Required.', color: 'Must be a hex color such as #6b7280.' },
  conflicts: { create: KEY_TAKEN, update: KEY_TAKEN },
  byRole: true,
  notes: {
    list: 'A new workspace has `call`, `email`, `meeting` and `task`.',
    create: KEYED,
    update: `${SETTLED} A new title leaves the \`key\` as it is.`,
    remove: `${FINAL} Tasks of the type show \`null\` in its place.`,
  },
}

export const ACTIVITIES: Kind = {
  ...{ name: 'Activity', plural: 'Activities', label: 'Activity', many: 'activities', tag: 'Activities' },
  answers: answers.activities,
  query: activityQuery,
  faults: { content_html: 'Required.', entity_id: 'Required together with entity.' },
  byRole: true,
  notes: {
    list: 'Of one person, company or deal: `entity` and `id` are required. An `id` that is not there finds nothing. Leaves out `attachments`.',
    create: 'Only `content_html` is required. It is cleaned: what a browser would run is taken out. The body may have 32 MiB.',
    update: `${PARTLY} \`entity\` and \`entity_id\` go together. Attachments stay as they are.`,
    remove: `${FINAL} Its attachments go with it.`,
  },
}

export const PRODUCTS: Kind = {
  ...{ name: 'Product', plural: 'Products', label: 'Product', many: 'products', tag: 'Products' },
  answers: answers.products,
  query: querySchema(products.orderBy, products.filters),
  faults: { currency: 'Required.', image: 'The image could not be fetched.' },
  conflicts: { create: conflict('code'), update: conflict('code') },
  byRole: true,
  notes: {
    list: SEARCHED,
    create:
      'With a picture, where `image` is sent: its bytes in Base64, or an https URL from which it is fetched once. The body may have 4 MiB.',
    update: `${PARTLY} The body may have 4 MiB.`,
    remove: `${FINAL} Its picture goes with it.`,
  },
}

export const TAGGED: Kind = {
  ...{ name: 'Tag', plural: 'Tags', label: 'Tag', many: 'tags', tag: 'Tags' },
  answers: answers.tags,
  query: querySchema(tags.orderBy, tags.filters),
  faults: { name: 'Required.', key: 'Must be lower-case letters and digits, joined by single underscores.' },
  conflicts: { create: KEY_TAKEN, update: KEY_TAKEN },
  byRole: true,
  addressed: { description: "The tag's id or its key.", isId: false, example: 'lead_quente' },
  notes: {
    list: 'All tags of the workspace, page by page.',
    create: KEYED,
    update: `${SETTLED} A new name leaves the \`key\` as it is.`,
    remove: `${FINAL} Records that had it are shown without it.`,
  },
}

export const LISTS: Kind = {
  ...{ name: 'List', plural: 'Lists', label: 'List', many: 'lists', tag: 'Lists' },
  answers: answers.lists,
  query: querySchema(lists.orderBy, lists.filters),
  faults: { name: 'Required.' },
  byRole: true,
  notes: {
    list: 'Each with how many records are on it. `GET /v1/people?list_id=…` finds them.',
    create: 'People, companies and deals are put on it by their own `lists`.',
    update: PARTLY,
    remove: `${FINAL} Records that were on it stay.`,
  },
}

export const CUSTOM_FIELDS: Kind = {
  ...{ name: 'CustomField', plural: 'CustomFields', label: 'Custom field', many: 'custom fields', tag: 'Custom fields' },
  answers: answers['custom-fields'],
  query: querySchema(customFields.orderBy, customFields.filters),
  faults: { type: 'Required.', 'value.select_list[1].key': 'Must be unique in the list.' },
  conflicts: { create: KEY_TAKEN, update: conflict('value', 'An option that is to be removed is still held by records.') },
  byRole: true,
  notes: {
    list: 'All fields of the workspace, page by page.',
    create: '`value` holds the options of `select` and `multi_select`, and is left out for the others. A workspace has at most 500 fields.',
    update: `${SETTLED} \`key\` and \`type\` stay as they were made. An option that records hold cannot go.`,
    remove: `${FINAL} Its values are hidden for good.`,
  },
}
