import type { PrintableOffer } from '@sales-crm/core/ports'
import { CONTENT_WIDTH, MARGIN, type OfferPaper, type TextStyle } from './offer-paper.ts'
import { type OfferFormat, TEXTS } from './offer-texts.ts'

type Item = PrintableOffer['items'][number]

const HEAD: TextStyle = { size: 7.5, color: 'soft' }
const CELL: TextStyle = { size: 9 }
const NAME: TextStyle = { size: 9, font: 'bold' }
const DETAIL: TextStyle = { size: 7.5, color: 'soft' }
const [LINE_HEIGHT, PADDING, HEAD_HEIGHT, GAP] = [12, 5, 15, 8]
/** A longer cell is broken, so that the description has room. */
const MAX_CELL_WIDTH = 86
/** A description of more lines is one paragraph. */
const MAX_DETAIL_LINES = 20

interface Column {
  readonly label: string
  readonly align: 'left' | 'right'
  toText(item: Item): string
}

interface PlacedColumn extends Column {
  readonly x: number
  readonly width: number
}

interface Line {
  readonly text: string
  readonly style: TextStyle
}

/** Draws the table of lines, with its head on each page. */
export function drawItems(paper: OfferPaper, offer: PrintableOffer, format: OfferFormat): void {
  const [name, ...columns] = placeColumns(paper, offer, format)
  if (!name) return
  drawTableHead(paper, [name, ...columns])
  for (const item of offer.items) {
    const cells = columns.map((column) => paper.wrap(column.toText(item), CELL, column.width))
    const lines = describeItem(paper, item, name.width)
    const count = Math.max(lines.length, ...cells.map(({ length }) => length))
    // A row stays on one page, if it is not longer than half of one.
    if (count <= 25 && paper.require(count * LINE_HEIGHT + 2 * PADDING))
      drawTableHead(paper, [name, ...columns])
    paper.y += PADDING
    for (let index = 0; index < count; index += 1) {
      if (paper.require(LINE_HEIGHT + PADDING)) {
        drawTableHead(paper, [name, ...columns])
        paper.y += PADDING
      }
      const { y } = paper
      const line = lines[index]
      if (line) paper.write(line.text, { ...line.style, x: name.x, y, width: name.width })
      for (const [nth, { x, width, align }] of columns.entries()) {
        const text = cells[nth]?.[index]
        if (text !== undefined) paper.write(text, { ...CELL, x, y, width, align })
      }
      paper.y += LINE_HEIGHT
    }
    paper.y += PADDING
    paper.rule(MARGIN, CONTENT_WIDTH, 'line')
  }
}

function drawTableHead(paper: OfferPaper, columns: readonly PlacedColumn[]): void {
  for (const { label, x, width, align } of columns)
    paper.write(paper.wrap(label, HEAD, width)[0] ?? '', { ...HEAD, x, y: paper.y, width, align })
  paper.y += HEAD_HEIGHT
  paper.rule(MARGIN, CONTENT_WIDTH, 'ink')
}

/** The name, and below it code and description. */
function describeItem(paper: OfferPaper, { name, code, description }: Item, width: number): readonly Line[] {
  const details = [code, description].filter((text) => text !== null).join(' · ')
  const lines = paper.wrap(details, DETAIL, width).filter((line) => line !== '')
  const wrapped =
    lines.length > MAX_DETAIL_LINES ? paper.wrap(details.replaceAll(/\s+/g, ' '), DETAIL, width) : lines
  return [
    ...paper.wrap(name, NAME, width).map((text) => ({ text, style: NAME })),
    ...wrapped.map((text) => ({ text, style: DETAIL })),
  ]
}

/** Gives each column the width that it needs, and the first one what is left. Columns without values are left out. */
function placeColumns(paper: OfferPaper, { items, language, currency }: PrintableOffer, format: OfferFormat) {
  const { columns: labels, cycles } = TEXTS[language]
  const right = (label: string, toText: Column['toText']): Column => ({ label, align: 'right', toText })
  const has = (column: 'discount' | 'tax_rate') => items.some((item) => item[column] !== null)
  const columns: readonly Column[] = [
    right(labels.quantity, ({ quantity }) => format.number(quantity)),
    right(labels.price, ({ unit_price_cts }) => format.amount(unit_price_cts)),
    ...(has('discount')
      ? [right(labels.discount, ({ discount }) => describeDiscount(discount, format))]
      : []),
    ...(has('tax_rate')
      ? [right(labels.tax, ({ tax_rate }) => (tax_rate === null ? '–' : format.percent(tax_rate)))]
      : []),
    { label: labels.cycle, align: 'left', toText: ({ billing_cycle }) => cycles[billing_cycle] },
    right(`${labels.total} (${currency})`, ({ total_cts }) => format.amount(total_cts)),
  ]
  const widths = columns.map((column) => measureColumn(paper, column, items))
  let x = MARGIN + CONTENT_WIDTH
  const placed: PlacedColumn[] = []
  for (const [index, column] of [...columns.entries()].reverse()) {
    x -= widths[index]!
    placed.unshift({ ...column, x, width: widths[index]! })
    x -= GAP
  }
  const name: Column = { label: labels.name, align: 'left', toText: (item) => item.name }
  return [{ ...name, x: MARGIN, width: x - MARGIN }, ...placed]
}

function measureColumn(paper: OfferPaper, { label, toText }: Column, items: readonly Item[]): number {
  const widths = items.map((item) => paper.measure(toText(item), CELL))
  return Math.min(MAX_CELL_WIDTH, Math.max(paper.measure(label, HEAD), ...widths)) + 0.1
}

function describeDiscount(discount: Item['discount'], format: OfferFormat): string {
  if (discount === null) return '–'
  return 'percent' in discount ? format.percent(discount.percent) : format.amount(discount.amount_cts)
}
