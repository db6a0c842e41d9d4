import { countResponse } from '../kernel/response-schemas.ts'
import { multiLineTextOrNull, singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { value } from './fields.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, PATCH_NOTE } from './operation-notes.ts'
import { textOf } from './value-types.ts'
import { loaded } from './view-fields.ts'

export const lists = defineKind({
  label: 'List',
  collection: 'lists',
  scopes: { read: 'lists:read', write: 'lists:write' },
  memberAccess: 'labels',
  fields: {
    id: id('01a1fc31-2741-740d-94a4-341912156ec7'),
    name: value(textOf(singleLineText(1, 80)), {
      ...{ need: 'required', level: 'summary', sortable: true },
      description: 'Name.',
      example: 'Feira de março',
    }),
    description: value(textOf(multiLineTextOrNull(500)), {
      ...{ need: 'clearable', level: 'summary' },
      description: 'Multi-line text.',
      example: 'Who left a card at our stand',
    }),
    created_at: createdAt('summary'),
    updated_at: updatedAt('summary'),
    records_count: loaded({
      ...{ level: 'item', response: countResponse },
      description: 'Number of people, companies and deals on the list.',
      example: 1,
    }),
  },
  texts: {
    about: 'Groups of people, companies and deals.',
    list: 'Each list with its number of records. `GET /v1/people?list_id=…` returns the people on a list.',
    create: 'Add people, companies and deals to the list with their field `lists`.',
    update: PATCH_NOTE,
    remove: `${DELETE_NOTE} Records on it are not deleted.`,
  },
  errorExamples: { name: 'Required.' },
  inputExamples: {
    create: { name: 'Feira de março', description: 'Who left a card at our stand' },
    update: { description: null },
  },
})

/** A list that people, companies and deals can be on. */
export interface List extends RecordOf<typeof lists.fields> {}
