import * as v from 'valibot'
import { multiLineText, singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, linkField, owner, searchTerms, updatedAt } from './common-fields.ts'
import { externalIds } from './external-ids.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { isFlag, OWNER_FILTERS, since, until } from './filter-rules.ts'
import { followers, following } from './following.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, PATCH_NOTE, SEARCH_NOTE } from './operation-notes.ts'
import { reference } from './reference-fields.ts'
import { sharedWith, shares } from './shares.ts'
import { choiceOf, dayType, flagType, instantType, textOf } from './value-types.ts'

export const PRIORITIES = ['high', 'medium', 'low'] as const

export type Priority = (typeof PRIORITIES)[number]

const typeName = v.pipe(
  singleLineText(0, 60),
  v.check((value) => value !== '', 'Must be the id or the key of a task type.'),
)

export const tasks = defineKind({
  label: 'Task',
  collection: 'tasks',
  scopes: { read: 'tasks:read', write: 'tasks:write' },
  memberAccess: 'records',
  fields: {
    id: id('01a1fc31-2a0d-7b90-913e-d0f2e07b552c'),
    title: value(textOf(singleLineText(1, 200)), {
      ...{ need: 'required', level: 'summary' },
      description: 'Title.',
      example: 'Send the proposal',
    }),
    notes: value(textOf(multiLineText(3000)), {
      ...{ need: 'clearable', level: 'item' },
      description: 'Multi-line text.',
      example: null,
    }),
    /** `wholeDay` of its day in the workspace's time zone, or a time of day. */
    due_date: value(dayType, {
      ...{ need: 'clearable', level: 'summary', sortable: true },
      filters: {
        due_after: since('Due at or after this time.'),
        due_before: until('Due at or before this time.'),
      },
      description:
        'Due date. A whole day is 23:59:00.000 in the time zone of the workspace, and moves with the zone while ' +
        'the task is open.',
      example: '2026-12-02T02:59:00.000Z',
    }),
    type: reference('task_types', {
      ...{ column: 'type_id', need: 'clearable', shows: 'summary', level: 'summary' },
      inputs: { type: { schema: typeName, by: 'idOrKey', description: 'Task type by id or key.' } },
      description: 'Task type.',
    }),
    person: linkField('people', 'person', 'item', { example: null }),
    company: linkField('companies', 'company', 'item', { example: null }),
    deal: linkField('deals', 'deal', 'item'),
    owner: owner('item', OWNER_FILTERS),
    priority: value(choiceOf(PRIORITIES), {
      ...{ need: 'clearable', initial: 'medium', level: 'summary' },
      description: 'Priority.',
      example: 'medium',
    }),
    completed: value(flagType, {
      ...{ need: 'optional', initial: false, level: 'item' },
      filters: { completed: isFlag('Done (`true`) or open (`false`) tasks.') },
      description: '`true` if the task is done.',
      example: false,
    }),
    /** When the task was completed; null while it is open, and if a process of an earlier version completed it. */
    completed_at: system(instantType, { level: 'hidden', initial: null, isVersioned: false }),
    created_at: createdAt('item'),
    updated_at: updatedAt('item', { sortable: true }),
    external_ids: externalIds,
    shared_with: sharedWith,
    remind_at: value(instantType, {
      ...{ need: 'clearable', level: 'detail', included: true },
      description:
        'When the owner is reminded; `null` for never. Completing or deleting the task cancels it. In lists only if it is included.',
      inputDescription:
        'When the owner is reminded, with a notification. A time that has passed reminds at once; `null` never.',
      example: null,
    }),
    following,
    shares,
    followers,
    search_terms: searchTerms,
  },
  texts: {
    about: 'To-dos with due date, priority and owner.',
    list: `Open tasks by due date: \`completed=false&due_before=…&order_by=due_date&order=asc\`. ${SEARCH_NOTE}`,
    create: 'Only `title` is required.',
    update: `${PATCH_NOTE} \`completed: true\` completes the task.`,
    remove: DELETE_NOTE,
  },
  errorExamples: { title: 'Required.', type: 'Task type not found.' },
  inputExamples: {
    create: {
      title: 'Send the proposal',
      type: 'email',
      due_date: '2026-12-01T23:59:00-03:00',
      priority: 'high',
    },
    update: { completed: true },
  },
})

/** A task as it is stored, and as record rules see it. */
export interface Task extends RecordOf<typeof tasks.fields> {}
