import type { DealListItem } from '@sales-crm/client'
import { daysSince } from '../format/dates.ts'
import { NextTaskDue } from '../tasks/due.tsx'
import type { FormField, KindFields, LinkField, ShownField, StageField } from './field.ts'
import {
  createdField,
  dayField,
  linkField,
  moneyField,
  ownerField,
  requiredTextField,
  textField,
  timeField,
  updatedField,
} from './field-builders.ts'
import { listsColumn, tagsColumn } from './label-fields.tsx'
import { lastActivityColumn } from './linked-fields.tsx'

const name = requiredTextField('name', {
  label: ({ labels }) => labels.name,
  columnLabel: ({ labels }) => labels.deal,
  order: 'asc',
})
const company = linkField('company')
const person = linkField('person')
const money = moneyField('amount', { label: ({ labels }) => labels.amount, order: 'desc' })

/** A typed amount no longer follows the line items. */
export const DEAL_AMOUNT: typeof money = {
  ...money,
  parse: (text, context) => {
    const fields = money.parse(text, context)
    return typeof fields === 'string' ? fields : { ...fields, amount_source: 'typed' }
  },
}
const amount = DEAL_AMOUNT
const forecastDate = dayField('forecast_date', { label: ({ labels }) => labels.forecast, order: 'asc' })
const source = textField('source', { label: ({ labels }) => labels.source, order: 'asc' })
const closed = timeField('closed_at', { label: ({ labels }) => labels.closed, order: 'desc' })

const stage: StageField<DealListItem> = {
  ...{ type: 'stage', name: 'stage', label: ({ labels }) => labels.stage },
  read: (deal) => deal,
}

const nextTask: ShownField<DealListItem> = {
  ...{ type: 'shown', name: 'next_task', label: ({ labels }) => labels.nextTask },
  render: ({ stage, next_task }) => (stage?.type === 'open' ? <NextTaskDue task={next_task} /> : '—'),
}

const daysInStage: ShownField<DealListItem> = {
  ...{ type: 'shown', name: 'stage_entered_at', label: ({ labels }) => labels.inStage, isNumber: true },
  render: ({ stage_entered_at }, { texts }) =>
    stage_entered_at ? texts.deals.days(daysSince(new Date(stage_entered_at), new Date())) : '—',
}

export const DEAL_FIELDS: KindFields<DealListItem> = {
  columns: [name, company, stage, amount, ownerField, forecastDate, nextTask, daysInStage],
  moreColumns: [
    person,
    source,
    lastActivityColumn,
    tagsColumn,
    listsColumn,
    createdField,
    updatedField,
    closed,
  ],
  facts: [name, amount, forecastDate, company, source, ownerField],
  form: [name, company, person, amount, stage, forecastDate],
}

/** The orders of a board, whose deals are open. The first is that of an address without one. */
export const BOARD_ORDERS = [createdField, amount, forecastDate, name, updatedField] as const

export function findBoardOrder(sort: string | undefined): (typeof BOARD_ORDERS)[number] {
  return BOARD_ORDERS.find((field) => field.name === sort) ?? createdField
}

/** To whom it is to be sold: a company or a person. */
const customer: LinkField<DealListItem> = {
  ...{ type: 'link', name: 'customer', links: ['company', 'person'] },
  label: ({ deals }) => deals.first.to,
  read: ({ company, person }) => company ?? person,
}

/** The form of an empty board: fewer fields, in the words of a beginning. */
export const FIRST_DEAL_FORM: readonly FormField<DealListItem>[] = [
  { ...name, label: ({ deals }) => deals.first.name },
  customer,
  { ...amount, label: ({ deals }) => deals.first.amount, hint: ({ deals }) => deals.first.later },
]
