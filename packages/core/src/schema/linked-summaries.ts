import * as v from 'valibot'
import { countResponse, instantResponse } from '../kernel/response-schemas.ts'
import { CURRENCIES, type Currency } from './currency.ts'
import { loaded, view } from './view-fields.ts'

/** Open deals of one currency. */
export interface OpenAmountView {
  readonly currency: Currency
  /** In minor units. */
  readonly amount: number
  readonly deals: number
}

export const openAmountResponse = v.strictObject({
  currency: v.picklist(CURRENCIES),
  amount: countResponse,
  deals: countResponse,
}) as v.GenericSchema<unknown, OpenAmountView>

/** What tables show of the tasks, notes and deals that are linked to a record. */
export const nextTask = view('tasks', {
  ...{ shows: 'summary', level: 'item', included: true },
  description: 'Open task that is due first; `null` if there is none. Only if it is included.',
})

export const lastActivityAt = loaded({
  ...{ level: 'item', included: true, response: v.nullable(instantResponse) },
  description: 'Time of the latest activity; `null` if there is none. Only if it is included.',
  example: '2026-03-01T12:00:00.000Z',
})

export const openAmounts = loaded({
  ...{ level: 'item', included: true, response: v.array(openAmountResponse) },
  description: 'Number and amount of open deals, by currency. Only if it is included.',
  example: [{ currency: 'BRL', amount: 135_000, deals: 2 }],
})
