import { color, DEFAULT_COLOR, key } from '../kernel/field-schemas.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { value } from './fields.ts'
import { KEY_DESCRIPTIONS } from './key-descriptions.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, KEY_NOTE, REQUIRED_FIELDS_NOTE } from './operation-notes.ts'
import { textOf } from './value-types.ts'

export const taskTypes = defineKind({
  label: 'Task type',
  collection: 'task_types',
  scopes: { read: 'tasks:read', write: 'tasks:write' },
  memberAccess: 'settings',
  fields: {
    id: id('01a1fc31-2671-7af2-a2c2-17242f8ce5ff'),
    title: value(textOf(singleLineText(1, 60)), {
      ...{ need: 'required', level: 'summary', sortable: true },
      description: 'Title.',
      example: 'Email',
    }),
    color: value(textOf(color), {
      ...{ need: 'optional', initial: DEFAULT_COLOR, level: 'summary' },
      description: 'Color as `#rrggbb`.',
      example: DEFAULT_COLOR,
    }),
    /** Names the type in the input of tasks. A deleted type frees its key. */
    key: value(textOf(key), {
      ...{ need: 'optional', level: 'summary', unique: true },
      ...KEY_DESCRIPTIONS,
      example: 'email',
    }),
    created_at: createdAt('summary'),
    updated_at: updatedAt('summary'),
  },
  texts: {
    about: 'Types of tasks. They use the scopes of tasks.',
    list: 'A new workspace has `call`, `email`, `meeting` and `task`.',
    create: KEY_NOTE,
    update: `${REQUIRED_FIELDS_NOTE} A new title does not change the \`key\`.`,
    remove: `${DELETE_NOTE} Tasks of this type then have \`null\` in its place.`,
  },
  errorExamples: { title: 'Required.', color: 'Must be a hex color such as #6b7280.' },
  inputExamples: { create: { title: 'Product demo', color: '#1d4ed8' }, update: { color: '#1d4ed8' } },
})

/** A type of tasks, such as a call. */
export interface TaskType extends RecordOf<typeof taskTypes.fields> {}
