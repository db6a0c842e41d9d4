import { integer, uuid } from '../kernel/field-schemas.ts'
import { instantResponse, textResponse } from '../kernel/response-schemas.ts'
import { multiLineTextOrNull, singleLineText, singleLineTextOrNull } from '../kernel/text-schemas.ts'
import { associationFields } from './associations.ts'
import { CHANGE_FILTER, createdAt, entityId, id, linkField, owner, updatedAt } from './common-fields.ts'
import { CURRENCIES, type Currency, formatAmount, MAX_AMOUNT } from './currency.ts'
import { externalIds } from './external-ids.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { linkedTo, OWNER_FILTERS, since, until } from './filter-rules.ts'
import { followers, following } from './following.ts'
import { defineKind } from './kind.ts'
import { dealPeopleFields } from './link-lists.ts'
import { lastActivityAt, nextTask } from './linked-summaries.ts'
import { DELETE_NOTE, LINKS_NOTE, MERGE_NOTE, SEARCH_NOTE } from './operation-notes.ts'
import { reference } from './reference-fields.ts'
import { sharedWith, shares } from './shares.ts'
import { choiceOf, dayType, instantType, integerOf, textOf, uuidType } from './value-types.ts'
import { derived, loaded } from './view-fields.ts'

/** Whence a deal has its amount: from who typed it, or from its line items. */
export const AMOUNT_SOURCES = ['typed', 'items'] as const

export const deals = defineKind({
  label: 'Deal',
  collection: 'deals',
  scopes: { read: 'deals:read', write: 'deals:write' },
  memberAccess: 'records',
  codePrefix: 'D',
  fields: {
    id: id('01a1fc31-2893-73f4-b1ec-06392a46e760'),
    name: value(textOf(singleLineText(1, 120)), {
      ...{ need: 'required', level: 'summary', sortable: true },
      description: 'Name.',
      example: 'Licenças anuais',
    }),
    /** An integer from 0 to 10^15. */
    amount: value(integerOf(integer(0, MAX_AMOUNT)), {
      ...{ need: 'resettable', initial: 0, level: 'summary', sortable: true },
      description: 'Amount in minor units of the currency, such as cents.',
      example: 135000,
    }),
    currency: value(choiceOf(CURRENCIES), {
      ...{ need: 'optional', level: 'summary' },
      description: 'ISO 4217 currency code.',
      inputDescription: {
        create: "ISO 4217 currency code. Default: the workspace's currency.",
        update: 'ISO 4217 currency code.',
      },
      example: 'BRL',
    }),
    formatted_amount: derived({
      ...{ level: 'summary', response: textResponse, reads: ['amount', 'currency'], usesLocale: true },
      derive: (deal: { readonly amount: number; readonly currency: Currency }, { locale }) =>
        formatAmount(deal.amount, deal.currency, locale),
      description: "Amount formatted in the workspace's locale, including no-break spaces.",
      example: 'R$\u00a01.350,00',
    }),
    pipeline: reference('pipelines', {
      ...{ column: 'pipeline_id', need: 'optional', shows: 'reference', level: 'summary' },
      inputs: {
        pipeline_id: {
          ...{ schema: uuid, by: 'feature' },
          description: {
            create: "Id of the pipeline. Default: the workspace's oldest pipeline.",
            update: 'Id of the pipeline to move the deal to.',
          },
        },
      },
      filters: { pipeline_id: linkedTo('Deals in this pipeline.') },
      description: 'Pipeline of the deal.',
    }),
    stage: reference('stages', {
      ...{ column: 'stage_id', need: 'optional', shows: 'reference', level: 'summary' },
      inputs: {
        stage_id: {
          ...{ schema: uuid, by: 'feature' },
          description: {
            create: 'Id of a stage of the pipeline. Default: its first stage.',
            update:
              "Id of a stage of the deal's new or current pipeline. Default with a new pipeline: its first stage.",
          },
        },
      },
      filters: { stage_id: linkedTo('Deals in this stage.') },
      description: 'Stage of the deal.',
    }),
    source: value(textOf(singleLineTextOrNull(80)), {
      ...{ need: 'clearable', level: 'summary' },
      description: 'Origin of the deal.',
      example: 'LinkedIn',
    }),
    /** `wholeDay` of its day in the workspace's time zone, or a time of day. */
    forecast_date: value(dayType, {
      ...{ need: 'clearable', level: 'summary', sortable: true },
      filters: {
        forecast_after: since('Expected to close at or after this time.'),
        forecast_before: until('Expected to close at or before this time.'),
      },
      description: 'Expected closing date. A whole day is 23:59:00.000 in the time zone of the workspace.',
      example: '2026-05-02T02:59:00.000Z',
    }),
    created_at: createdAt('summary'),
    updated_at: updatedAt('summary', CHANGE_FILTER),
    entity_id: entityId('D-0EB2A22'),
    closed_at: system(instantType, {
      ...{ level: 'item', initial: null, sortable: true },
      filters: {
        closed_after: since('Closed at or after this time.'),
        closed_before: until('Closed at or before this time.'),
      },
      description: 'When the deal entered its current win or lost stage.',
      example: null,
    }),
    owner: owner('item', OWNER_FILTERS),
    person: linkField('people', 'person', 'item', {
      ...{ isListed: true, description: 'The main person on the deal.' },
    }),
    company: linkField('companies', 'company', 'item', { example: null }),
    ...associationFields({
      id: '01a1fc31-2770-7203-ad05-6722ed3ab596',
      key: 'contract_until',
      label: 'Contract until',
      type: 'date',
      value: '2027-04-30',
    }),
    ...dealPeopleFields,
    external_ids: externalIds,
    shared_with: sharedWith,
    following,
    lost_reason: reference('lost_reasons', {
      ...{ column: 'lost_reason_id', need: 'clearable', shows: 'reference', level: 'detail', included: true },
      inputs: {
        lost_reason_id: {
          ...{ schema: uuid, by: 'feature' },
          description: 'Id of the reason for which the deal was lost. For deals in a lost stage.',
        },
      },
      description:
        'Why the deal was lost; also a reason that was deleted since. Reopening or winning the deal clears it. ' +
        'In lists only if it is included.',
    }),
    lost_note: value(textOf(multiLineTextOrNull(2000)), {
      ...{ need: 'clearable', level: 'detail', included: true },
      description:
        'What was written about the loss. Reopening or winning the deal clears it. In lists only if it is included.',
      inputDescription: 'A note about the loss. For deals in a lost stage.',
      example: null,
    }),
    amount_source: value(choiceOf(AMOUNT_SOURCES), {
      ...{ need: 'optional', initial: 'typed', level: 'detail', included: true },
      description:
        '`items` if the amount follows the line items of the deal: what they bring in the first year, without tax. ' +
        'In lists only if it is included.',
      inputDescription:
        'With `items`, the amount follows the line items of the deal. An `amount` alone makes it `typed`.',
      example: 'typed',
    }),
    /** The stage in which a lost deal was before; null if it was created as a lost one. */
    lost_stage_id: system(uuidType, { level: 'hidden', initial: null, references: 'stages' }),
    shares,
    followers,
    next_task: nextTask,
    last_activity_at: lastActivityAt,
    stage_entered_at: loaded({
      ...{ level: 'item', included: true, response: instantResponse },
      description: 'When the deal came into its stage. Only if it is included.',
      example: '2026-03-01T12:00:00.000Z',
    }),
  },
  texts: {
    about: 'Sales opportunities, each in a stage of a pipeline.',
    list: `Omits \`tags\` and \`lists\` unless they are included. ${SEARCH_NOTE}`,
    create:
      'Only `name` is required. The default stage is the first one of the oldest pipeline. ' +
      'An `Idempotency-Key` makes it safe to retry.',
    update:
      `${MERGE_NOTE} A \`stage_id\` moves the deal; ` +
      "a `pipeline_id` alone moves it to that pipeline's first stage.",
    remove: `${DELETE_NOTE} ${LINKS_NOTE}`,
  },
  errorExamples: { name: 'Required.', person_id: 'Person not found.' },
  inputExamples: {
    create: {
      name: 'Licenças anuais',
      amount: 135000,
      currency: 'BRL',
      forecast_date: '2026-05-01T23:59:00-03:00',
    },
    update: { amount: 150000, source: 'LinkedIn' },
  },
})

/** A deal as it is stored, and as record rules see it. */
export interface Deal extends RecordOf<typeof deals.fields> {}
