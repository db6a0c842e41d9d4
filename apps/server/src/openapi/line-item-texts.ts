/** Descriptions of the totals of line items, as `RESPONSE_FIELD_DESCRIPTIONS` has them. */
export const LINE_ITEM_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  totals: 'What the items come to, each line rounded before it is added.',
  'LineTotals.one_time': 'Items that are due once.',
  'LineTotals.monthly': 'Monthly items, each month.',
  'LineTotals.quarterly': 'Quarterly items, each quarter.',
  'LineTotals.annually': 'Annual items, each year.',
  'LineTotals.first_year':
    'What all items bring in the first year: those due once and annual ones once, quarterly ones four times, monthly ones twelve ' +
    'times.',
  net_cts: 'Without tax, in minor units of the currency of the deal.',
  tax_cts: 'Tax, in minor units.',
  gross_cts: 'With tax, in minor units.',
  percent: 'In percent, with up to two decimal places.',
  amount_cts: 'In minor units, of the whole line.',
}

/** Descriptions of the fields of their input, as `REQUEST_FIELD_DESCRIPTIONS` has them. */
export const LINE_ITEM_INPUT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'LineItems.items': 'All items, in their order.',
  'LineItems.items.id': 'Id of an item of the deal, which stays. Omit it for a new one.',
  percent: 'Percent of the line. Mutually exclusive with `amount_cts`.',
  amount_cts: 'Minor units, at most the line. Mutually exclusive with `percent`.',
}

const total = (net_cts: number, tax_cts: number) => ({ net_cts, tax_cts, gross_cts: net_cts + tax_cts })
const nothing = total(0, 0)

/** Examples of schemas of line items, by schema name. */
export const LINE_ITEM_EXAMPLES: Readonly<Record<string, object>> = {
  LineTotals: {
    ...{ one_time: nothing, monthly: nothing, quarterly: nothing, annually: total(303750, 57713) },
    first_year: total(303750, 57713),
  },
  NewLineItem: {
    product_id: '01a1fc31-27eb-755b-86fb-5125e1eadadb',
    quantity: 2.5,
    discount: { percent: 10 },
  },
  LineItemChanges: { quantity: 3, discount: null },
  LineItems: {
    items: [
      { id: '01a1fc31-2c41-7e0a-9b7d-3f5a6c8e1d20', quantity: 3 },
      { name: 'Instalação', unit_price_cts: 50000, tax_rate: 19 },
    ],
  },
}
