import { dayOf, wholeDay } from '../../../kernel/time-zone.ts'
import type { BILLING_CYCLES } from '../../../schema/billing-cycle.ts'
import type { Currency } from '../../../schema/currency.ts'
import { CURRENCIES } from '../../../schema/currency.ts'
import type { SelectOption } from '../../../schema/custom-field.ts'
import type { CustomFieldType } from '../../../schema/custom-field-types.ts'
import type { PRIORITIES } from '../../../schema/task.ts'
import { dayType } from '../../../schema/value-types.ts'
import { parseCnpj } from '../../custom-fields/cnpj.ts'
import { parseCpf } from '../../custom-fields/cpf.ts'
import { CELL_RULES, type CellRule } from '../cell-rules.ts'
import { typeOf } from '../columns/column-kind.ts'
import type { FieldTarget } from '../columns/target.ts'
import { compactText } from '../folded-text.ts'
import { type ReplaceText, replaceEntries } from '../remedies/replace-text.ts'
import { readBoolean } from '../values/boolean.ts'
import { type DateOrder, hasTime, readDate, readInstant } from '../values/date.ts'
import { readList } from '../values/list.ts'
import { type NumberFormat, readNumber } from '../values/number.ts'
import { readUrl } from '../values/url.ts'

/** How the cells of a column are read. */
export interface CellFormat {
  readonly numberFormat: NumberFormat
  readonly dateOrder: DateOrder
  readonly timeZone: string
  readonly currency: Currency
  /** Of cells that hold a list. */
  readonly replaceEntry?: ReplaceText | undefined
}

/** A value, or the rule that the cell breaks. */
export type CellReading = { readonly value: unknown } | InvalidCell

interface InvalidCell {
  readonly rule: CellRule
  /** The entries of a list that break it; the whole cell if it is no list. */
  readonly entries?: readonly string[]
  /** The value without them; undefined if nothing is left. */
  readonly rest?: unknown
}

type ReadCell = (cell: string, format: CellFormat) => CellReading

const text: ReadCell = (cell) => ({ value: cell.replace(/\s+/g, ' ') })
const longText: ReadCell = (cell) => ({ value: cell })
const number: ReadCell = (cell, { numberFormat }) => orRule(readNumber(cell, numberFormat), CELL_RULES.number)
const day: ReadCell = (cell, { dateOrder }) => orRule(readDate(cell, dateOrder), CELL_RULES.date)
const boolean: ReadCell = (cell) => orRule(readBoolean(cell), CELL_RULES.boolean)
const link: ReadCell = (cell) => orRule(readUrl(cell), CELL_RULES.url)
/** A day without a time is its first instant. */
const instant: ReadCell = (cell, { dateOrder, timeZone }) =>
  orRule(readInstant(cell, dateOrder, timeZone), CELL_RULES.date)

/** A day without a time is due at its end. */
const dueDate: ReadCell = (cell, format) => {
  const at = instant(cell, format)
  if ('rule' in at || hasTime(cell)) return at
  return { value: wholeDay(dayOf(at.value as string, format.timeZone), format.timeZone) }
}

const WORDS = {
  priority: {
    low: ['low', 'baixa', 'baixo'],
    medium: ['medium', 'media', 'medio', 'normal'],
    high: ['high', 'alta', 'alto', 'urgent', 'urgente'],
  },
  billing_cycle: {
    one_time: ['onetime', 'once', 'unico', 'unica', 'avulso'],
    monthly: ['monthly', 'month', 'mensal'],
    quarterly: ['quarterly', 'quarter', 'trimestral'],
    annually: ['annually', 'annual', 'yearly', 'year', 'anual'],
  },
} as const satisfies {
  readonly priority: Readonly<Record<(typeof PRIORITIES)[number], readonly string[]>>
  readonly billing_cycle: Readonly<Record<(typeof BILLING_CYCLES)[number], readonly string[]>>
}

function choice(words: Readonly<Record<string, readonly string[]>>): ReadCell {
  const rule = { ...CELL_RULES.option, message: `Is none of: ${Object.keys(words).join(', ')}.` }
  return (cell) => {
    const folded = compactText(cell)
    const found = Object.entries(words).find(
      ([value, each]) => compactText(value) === folded || each.includes(folded),
    )
    return orRule(found?.[0], rule)
  }
}

const currency: ReadCell = (cell) => {
  const code = cell.trim().toUpperCase()
  return orRule(
    CURRENCIES.find((each) => each === code),
    CELL_RULES.currency,
  )
}

const FIELD_READERS: Readonly<Record<string, ReadCell>> = {
  priority: choice(WORDS.priority),
  billing_cycle: choice(WORDS.billing_cycle),
  currency,
  website: link,
  created_at: instant,
  closed_at: instant,
  stage_entered_at: instant,
  notes: longText,
  description: longText,
  content_html: (cell) => ({ value: isHtml(cell) ? cell : escapeHtml(cell) }),
}

const CUSTOM_READERS: Readonly<Record<Exclude<CustomFieldType, 'select' | 'multi_select'>, ReadCell>> = {
  text,
  long_text: longText,
  cpf: (cell) => orRule(parseCpf(cell), CELL_RULES.cpf),
  cnpj: (cell) => orRule(parseCnpj(cell), CELL_RULES.cnpj),
  date: day,
  number,
  link,
  address: text,
}

/** Reads a cell of one value, which is not empty. The field's own rules are those of the API. */
export function readField(target: FieldTarget, cell: string, format: CellFormat): CellReading {
  const read = FIELD_READERS[target.field.split(':')[0]!] ?? readerOf(typeOf(target))
  return read(cell, format)
}

function readerOf(type: ReturnType<typeof typeOf>): ReadCell {
  if (type === dayType) return dueDate
  if (type?.column === 'integer') return number
  return type?.column === 'boolean' ? boolean : text
}

/** A custom field that is there, or is to be made. */
export interface CustomFieldRule {
  readonly type: CustomFieldType
  /** Of a `select` or `multi_select`. */
  readonly options: readonly SelectOption[]
}

export function readCustomValue(
  { type, options }: CustomFieldRule,
  cell: string,
  format: CellFormat,
): CellReading {
  if (type !== 'select' && type !== 'multi_select') return CUSTOM_READERS[type](cell, format)
  return type === 'select'
    ? orRule(findOption(cell, options), CELL_RULES.option)
    : readOptions(replaceEntries(readList(cell), format.replaceEntry, readList), options)
}

function readOptions(texts: readonly string[], options: readonly SelectOption[]): CellReading {
  const keys = new Set<string>()
  const unknown: string[] = []
  for (const text of texts) {
    const key = findOption(text, options)
    if (key === undefined) unknown.push(text)
    else keys.add(key)
  }
  if (unknown.length === 0) return { value: [...keys] }
  return { rule: CELL_RULES.option, entries: unknown, ...(keys.size > 0 && { rest: [...keys] }) }
}

/** By its key or name. */
function findOption(text: string, options: readonly SelectOption[]): string | undefined {
  const folded = compactText(text)
  const found = options.find(({ key, option }) => key === text || compactText(option) === folded)
  return found?.key
}

function orRule(value: unknown, rule: CellRule): CellReading {
  return value === undefined ? { rule } : { value }
}

function isHtml(cell: string): boolean {
  return /<(?:p|br|div|b|i|a|ul|ol|li|span|strong|em|h[1-6]|table)\b[^>]*>/i.test(cell)
}

/** Each line is a paragraph. */
function escapeHtml(cell: string): string {
  const escaped = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped
    .split(/\r?\n/)
    .map((line) => `<p>${line}</p>`)
    .join('')
}
