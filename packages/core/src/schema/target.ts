import { integer, month, oneOf, uuid } from '../kernel/field-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import { CURRENCIES, MAX_AMOUNT } from './currency.ts'
import type { RecordOf } from './field-types.ts'
import { value } from './fields.ts'
import { linkedTo } from './filter-rules.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE } from './operation-notes.ts'
import { reference } from './reference-fields.ts'
import { choiceOf, integerOf, textOf } from './value-types.ts'

/** Maximum per workspace. */
export const MAX_TARGETS = 10_000

const FIXED = 'Must equal the current value: it cannot be changed.'

export const targets = defineKind({
  label: 'Target',
  collection: 'targets',
  scopes: { read: 'deals:read', write: 'deals:write' },
  memberAccess: 'settings',
  fields: {
    id: id('01a1fc31-2b3e-7c41-9d0a-8e5f1c2b7a90'),
    month: value(textOf(month), {
      ...{ need: 'required', level: 'item', sortable: true },
      description: 'Month of the time zone of the workspace. It cannot be changed.',
      inputDescription: { create: 'Month of the time zone of the workspace.', update: FIXED },
      filters: {
        month: { match: 'equal', schema: month, description: 'Targets of this month.' },
        from: { match: 'since', schema: month, description: 'Targets of this month or a later one.' },
        to: { match: 'until', schema: month, description: 'Targets of this month or an earlier one.' },
      },
      example: '2026-11',
    }),
    owner: reference('members', {
      ...{ column: 'owner_id', need: 'required', shows: 'reference', level: 'item' },
      inputs: {
        owner_id: {
          ...{ schema: uuid, by: 'member' },
          description: { create: 'Id of the member who is to reach it.', update: FIXED },
        },
      },
      filters: { owner_id: linkedTo('Targets of this member, also of a removed one.') },
      description: 'The member who is to reach it; `null` for a removed one. It cannot be changed.',
    }),
    currency: value(choiceOf(CURRENCIES), {
      ...{ need: 'optional', level: 'item' },
      description: 'ISO 4217 currency code. It cannot be changed.',
      inputDescription: {
        create: "ISO 4217 currency code. Default: the workspace's currency.",
        update: FIXED,
      },
      filters: {
        currency: { match: 'equal', schema: oneOf(CURRENCIES), description: 'Targets in this currency.' },
      },
      example: 'BRL',
    }),
    /** An integer from 1 to 10^15. */
    amount: value(integerOf(integer(1, MAX_AMOUNT)), {
      ...{ need: 'required', level: 'item' },
      description: 'Amount in minor units of the currency, such as cents.',
      example: 20_000_000,
    }),
    created_at: createdAt('item'),
    updated_at: updatedAt('item'),
  },
  texts: {
    about:
      'What members are to win in a month. They use the scopes of deals; owners and admins set them. A member whom a rule ' +
      'bounds sees those of the members whose deals the rule shows.',
    list: 'Those of a year: `from=2026-01&to=2026-12&order_by=month&order=asc`.',
    create: `One for each month, member and currency; at most ${MAX_TARGETS} per workspace.`,
    update: 'Changes the `amount`. The other fields stay as they are.',
    remove: DELETE_NOTE,
  },
  errorExamples: {
    month: 'Must be a month from 1900-01 to 2999-12, such as 2026-03.',
    owner_id: 'Member not found.',
  },
  conflictExamples: { create: { month: 'The member has a target for this month in this currency.' } },
  inputExamples: {
    create: {
      ...{ month: '2026-11', owner_id: '01a1fc31-266c-7e7a-bb43-1fd7d4a4a2e6' },
      ...{ currency: 'BRL', amount: 20_000_000 },
    },
    update: { amount: 25_000_000 },
  },
})

/** What a member is to win in a month. */
export interface Target extends RecordOf<typeof targets.fields> {}
