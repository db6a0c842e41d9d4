/** Maximum per deal. */
export const MAX_LINE_ITEMS = 500

/** Decimal places of a quantity. */
export const QUANTITY_PLACES = 3

/** The least and the most of a quantity. */
export const QUANTITY_RANGE = [0.001, 1e6] as const

/** Decimal places of percentages. */
export const PERCENT_PLACES = 2
