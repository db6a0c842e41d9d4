import type { FilterCondition, FilterTree } from '@sales-crm/client'
import type { Console } from '../app/console-context.ts'
import { isDay } from '../format/typed-date.ts'
import { isCondition } from './filter.ts'
import { type FilterField, takesDays, takesNoValue } from './filter-field.ts'
import type { FilterTexts, Operator } from './texts.ts'

/** A comparison in words: its field, how it is compared, and with what. */
export interface ConditionWords {
  readonly field: string
  readonly operator: string
  readonly value: string
}

type Format = Pick<Console, 'formatNumber' | 'formatAmount' | 'dates' | 'workspace'>

/** Writes comparisons as the page shows them. */
export class ConditionWriter {
  readonly #fields: ReadonlyMap<string, FilterField>
  readonly #texts: FilterTexts
  readonly #format: Format

  constructor(fields: readonly FilterField[], texts: FilterTexts, format: Format) {
    this.#fields = new Map(fields.map((field) => [field.name, field]))
    this.#texts = texts
    this.#format = format
  }

  describe({ field: name, op, value }: FilterCondition): ConditionWords {
    const field = this.#fields.get(name)
    const isOptions = field?.type === 'options' && op === 'any_of'
    return {
      field: field?.label ?? name,
      operator: isOptions ? this.#texts.hasAny : (this.#texts.operators[op as Operator] ?? op),
      value: takesNoValue(op) ? '' : this.#describeValue(field, op, value),
    }
  }

  /** The tree in one sentence. */
  write(tree: FilterTree): string {
    if (isCondition(tree)) {
      const { field, operator, value } = this.describe(tree)
      return [field, operator, value].filter(Boolean).join(' ')
    }
    const [join, parts] = 'and' in tree ? [this.#texts.and, tree.and] : [this.#texts.or, tree.or]
    return parts
      .map((part) => (isCondition(part) ? this.write(part) : `(${this.write(part)})`))
      .join(` ${join} `)
  }

  #describeValue(field: FilterField | undefined, op: string, value: unknown): string {
    if (takesDays(op)) return this.#texts.dayCount(Number(value))
    const values = Array.isArray(value) ? value : [value]
    const words = values.map((each) => this.#describeOne(field, each))
    return words.join(
      op === 'between' ? '–' : op === 'all_of' ? ` ${this.#texts.and} ` : ` ${this.#texts.or} `,
    )
  }

  #describeOne(field: FilterField | undefined, value: unknown): string {
    const { formatNumber, formatAmount, dates, workspace } = this.#format
    const choice = field?.choices.find((each) => each.value === String(value))
    if (choice) return choice.label
    if (typeof value === 'boolean') return value ? this.#texts.yes : this.#texts.no
    if (typeof value === 'number')
      return field?.type === 'amount'
        ? formatAmount({ amount: value, currency: workspace.currency })
        : formatNumber(value)
    const text = String(value)
    const { dayNames } = this.#texts
    if (field?.type === 'day' && text in dayNames) return dayNames[text as keyof typeof dayNames]
    return field?.type === 'day' && isDay(text) ? dates.plainDay(text) : text
  }
}
