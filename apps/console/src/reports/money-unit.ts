const UNITS = ['ones', 'thousands', 'millions', 'billions', 'trillions'] as const
export type UnitName = (typeof UNITS)[number]

export interface MoneyUnit {
  readonly name: UnitName
  readonly divisor: number
}

/** Amounts of a unit have at most four digits before the decimal sign. */
const MAX_IN_UNIT = 10_000

/** Returns the unit in which a chart writes amounts up to `max` shortly. */
export function chooseUnit(max: number): MoneyUnit {
  const index = UNITS.findIndex((_, power) => max < MAX_IN_UNIT * 1000 ** power)
  const power = index === -1 ? UNITS.length - 1 : index
  return { name: UNITS[power] ?? 'ones', divisor: 1000 ** power }
}
