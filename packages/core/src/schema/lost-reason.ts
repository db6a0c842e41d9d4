import { integer } from '../kernel/field-schemas.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, REQUIRED_FIELDS_NOTE } from './operation-notes.ts'
import { instantType, integerOf, textOf } from './value-types.ts'

/** Maximum per workspace, without deleted ones. */
export const MAX_LOST_REASONS = 100

const TAKEN_NAME = { name: 'A record with this value already exists.' }

export const lostReasons = defineKind({
  label: 'Lost reason',
  collection: 'lost_reasons',
  scopes: { read: 'deals:read', write: 'deals:write' },
  memberAccess: 'settings',
  fields: {
    id: id('01a1fc31-2b07-7d12-8c44-5f2a9e01c3d8'),
    name: value(textOf(singleLineText(1, 60)), {
      ...{ need: 'required', level: 'reference', sortable: true },
      description: 'Name, unique in the workspace without regard to case and accents.',
      example: 'Price',
    }),
    /** From 0, without gaps among the reasons that are not deleted. */
    position: value(integerOf(integer(0, MAX_LOST_REASONS - 1)), {
      ...{ need: 'optional', level: 'summary', sortable: true },
      description: 'Position among the reasons, from 0.',
      inputDescription: {
        create: 'Position among the reasons, from 0. Those behind it move back. Default: after the last.',
        update: 'Position among the reasons, from 0. Those between move by one.',
      },
      example: 0,
    }),
    created_at: createdAt('summary'),
    updated_at: updatedAt('summary'),
    /** When the reason was deleted. Its row stays for the deals that have it. */
    removed_at: system(instantType, { level: 'hidden', initial: null }),
  },
  texts: {
    about: 'Why deals are lost. They use the scopes of deals; owners and admins change them.',
    list: '`order_by=position&order=asc` returns them in their order.',
    create: `At most ${MAX_LOST_REASONS} per workspace.`,
    update: REQUIRED_FIELDS_NOTE,
    remove: `${DELETE_NOTE} Deals that have it keep it, with its name; it can no longer be chosen.`,
  },
  errorExamples: { name: 'Required.', position: 'Must be an integer between 0 and 99.' },
  conflictExamples: { create: TAKEN_NAME, update: TAKEN_NAME },
  inputExamples: { create: { name: 'Price' }, update: { name: 'Price too high', position: 0 } },
})

/** A reason for which deals are lost. */
export interface LostReason extends RecordOf<typeof lostReasons.fields> {}
