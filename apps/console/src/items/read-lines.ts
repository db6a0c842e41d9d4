import { isDiscountTooHigh } from '@sales-crm/core/browser'
import {
  EDITED_COLUMNS,
  ITEM_COLUMNS,
  type ItemNotation,
  type ItemValues,
  readQuantity,
} from './item-columns.ts'

/** What was typed into a new line. */
export interface TypedLine {
  readonly quantity: number
  /** What is sold. */
  readonly text: string
}

/** Reads a new line: a number before the text is its quantity, as in `40 plano eq` and `2,5x horas`. */
export function readTypedLine(typed: string, locale: string): TypedLine {
  const text = typed.trim()
  const [, number = '', rest = ''] = /^(\d\S*?)[x×]?\s+(\S.*)$/su.exec(text) ?? []
  const quantity = number === '' ? undefined : readQuantity(number, locale)
  return quantity === undefined ? { quantity: 1, text } : { quantity, text: rest }
}

/** True for copied cells of a spreadsheet, rather than a text. */
export function isTable(pasted: string): boolean {
  return pasted.includes('\t') || /\n.*\S/.test(pasted)
}

/** What no cell says. */
const EMPTY_LINE: ItemValues = {
  name: '',
  code: null,
  quantity: 1,
  unit_price_cts: 0,
  discount: null,
  tax_rate: null,
  billing_cycle: 'one_time',
}

/**
 * Reads copied rows, whose cells are in the order of the columns; those at the end may be missing. A first row whose
 * quantity and price are both no numbers has the names of the columns.
 * @returns the lines; the first error, since none is added without the others
 */
export function readPastedLines(pasted: string, notation: ItemNotation): readonly ItemValues[] | string {
  const rows = pasted.split(/\r\n|\r|\n/).map((row) => row.split('\t').map((cell) => cell.trim()))
  const lines: ItemValues[] = []
  for (const [index, cells] of rows.entries()) {
    if (cells.every((cell) => cell === '') || (index === 0 && isHead(cells, notation))) continue
    const line = readCells(cells, index + 1, notation)
    if (typeof line === 'string') return line
    lines.push(line)
  }
  return lines
}

function isHead([, ...cells]: readonly string[], notation: ItemNotation): boolean {
  const numbers = cells.slice(0, 2).filter((cell) => cell !== '')
  const columns = ['quantity', 'unit_price_cts'] as const
  return (
    numbers.length > 0 &&
    numbers.every((cell, index) => typeof ITEM_COLUMNS[columns[index]!].parse(cell, notation) === 'string')
  )
}

function readCells(cells: readonly string[], row: number, notation: ItemNotation): ItemValues | string {
  const { itemTexts } = notation
  let line = EMPTY_LINE
  for (const [index, column] of EDITED_COLUMNS.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '' && column !== 'name') continue
    const values = ITEM_COLUMNS[column].parse(cell, notation)
    if (typeof values === 'string') return itemTexts.errors.row(row, itemTexts.columns[column], values)
    line = { ...line, ...values }
  }
  return isDiscountTooHigh(line)
    ? itemTexts.errors.row(row, itemTexts.columns.discount, itemTexts.errors.discount)
    : line
}
