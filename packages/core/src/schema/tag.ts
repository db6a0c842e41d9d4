import * as v from 'valibot'
import { color, DEFAULT_COLOR, key } from '../kernel/field-schemas.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { value } from './fields.ts'
import { KEY_DESCRIPTIONS } from './key-descriptions.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, KEY_NOTE, REQUIRED_FIELDS_NOTE } from './operation-notes.ts'
import { textOf } from './value-types.ts'

/** Words of paths: tags are addressed by their keys. */
export const RESERVED_TAG_KEYS = ['export', 'batch', 'upsert']

const tagKey = v.pipe(
  key,
  v.check(
    (value) => !RESERVED_TAG_KEYS.includes(value),
    `Must not be one of: ${RESERVED_TAG_KEYS.join(', ')}.`,
  ),
)

export const tags = defineKind({
  label: 'Tag',
  collection: 'tags',
  scopes: { read: 'tags:read', write: 'tags:write' },
  memberAccess: 'labels',
  fields: {
    id: id('01a1fc31-273f-731b-91b7-38e80584f6e8'),
    /** Names the tag in inputs. A deleted tag frees its key. */
    key: value(textOf(tagKey), {
      ...{ need: 'optional', level: 'summary', unique: true },
      ...KEY_DESCRIPTIONS,
      example: 'lead_quente',
    }),
    name: value(textOf(singleLineText(1, 60)), {
      ...{ need: 'required', level: 'summary', sortable: true },
      description: 'Name.',
      example: 'Lead Quente',
    }),
    color: value(textOf(color), {
      ...{ need: 'optional', initial: DEFAULT_COLOR, level: 'summary' },
      description: 'Color as `#rrggbb`.',
      example: '#f59e0b',
    }),
    created_at: createdAt('summary'),
    updated_at: updatedAt('summary'),
  },
  texts: {
    about: 'Labels for people, companies and deals.',
    list: 'All tags of the workspace.',
    create: KEY_NOTE,
    update: `${REQUIRED_FIELDS_NOTE} A new name does not change the \`key\`.`,
    remove: `${DELETE_NOTE} It is removed from all records.`,
  },
  errorExamples: {
    name: 'Required.',
    key: 'Must be lower-case letters and digits, joined by single underscores.',
  },
  inputExamples: { create: { name: 'Lead Quente', color: '#f59e0b' }, update: { name: 'Lead Frio' } },
})

/** A tag of people, companies and deals. */
export interface Tag extends RecordOf<typeof tags.fields> {}
