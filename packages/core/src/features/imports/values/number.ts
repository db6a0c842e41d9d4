import { type Decimal, type NumberFormat, parseNumberText, splitDecimal } from './number-text.ts'

export type { NumberFormat } from './number-text.ts'

export interface NumberFormatReading {
  readonly format: NumberFormat
  /** True if the cells are different numbers in both formats, and none shows which one is meant. */
  readonly isAmbiguous: boolean
}

/**
 * Finds the format of a column by the cells that can be read in one format only, such as `0.075` and `12,50`. If
 * they are of both formats, most of them decide.
 */
export class NumberFormatReader {
  readonly #counts = { point: 0, comma: 0 }
  #hasUndecided = false

  add(cell: string): void {
    const body = parseNumberText(cell)?.body
    if (body === undefined) return
    const [point, comma] = [splitDecimal(body, 'point'), splitDecimal(body, 'comma')]
    if (point && comma) this.#hasUndecided ||= point.whole !== comma.whole
    else if (point) this.#counts.point += 1
    else if (comma) this.#counts.comma += 1
  }

  /** @param fallback the format of a column that does not show its own */
  read(fallback: NumberFormat): NumberFormatReading {
    const { point, comma } = this.#counts
    if (point === comma) return { format: fallback, isAmbiguous: this.#hasUndecided }
    return { format: point > comma ? 'point' : 'comma', isAmbiguous: false }
  }
}

/** @param fallback the format of a column that does not show its own */
export function inferNumberFormat(
  cells: Iterable<string>,
  fallback: NumberFormat = 'point',
): NumberFormatReading {
  const reader = new NumberFormatReader()
  for (const cell of cells) reader.add(cell)
  return reader.read(fallback)
}

/** The format in which a locale writes numbers. */
export function findNumberFormat(locale: string): NumberFormat {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? 'comma' : 'point'
}

/**
 * Reads `1.234,56`, `1,234.56`, `1'234.5`, `1,23,456`, `1234,5` and the like, without a currency before or after it.
 * A cell that can be read in the other format only is read in that one.
 * @returns undefined for a text that is no number
 */
export function readNumber(cell: string, format: NumberFormat): number | undefined {
  const text = parseNumberText(cell)
  const decimal = text && readDecimal(text.body, format)
  if (!decimal) return undefined
  const value = Number(`${decimal.whole}.${decimal.fraction || '0'}`)
  return text.isNegative ? 0 - value : value
}

/** Splits digits by a format, or by the other one if they cannot be in this. */
export function readDecimal(body: string, format: NumberFormat): Decimal | undefined {
  return splitDecimal(body, format) ?? splitDecimal(body, format === 'point' ? 'comma' : 'point')
}
