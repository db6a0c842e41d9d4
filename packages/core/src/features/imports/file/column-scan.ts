import type { ImportKind } from '../columns/import-kind.ts'
import { proposeColumns } from '../columns/propose-columns.ts'
import { type ColumnProposal, type FileColumn, isNewField, type KnownField } from '../columns/target.ts'
import type { ImportColumn } from '../import-record.ts'
import { shorten } from '../rows/record-draft.ts'
import { type DateOrder, DateOrderReader } from '../values/date.ts'
import { type NumberFormat, NumberFormatReader } from '../values/number.ts'

/** Values of a column from which its target is proposed. */
const SAMPLE_ROWS = 1000
const SHOWN_SAMPLES = 3

export interface LocaleFormats {
  readonly numberFormat: NumberFormat
  readonly dateOrder: DateOrder
}

/** Collects what the values of each column say, in memory that does not grow with the file. */
export class ColumnScan {
  readonly #names: readonly string[]
  readonly #samples: string[][]
  readonly #shown: Set<string>[]
  readonly #hasEmpty: boolean[]
  readonly #numbers: NumberFormatReader[]
  readonly #dates: DateOrderReader[]
  #rows = 0

  constructor(names: readonly string[]) {
    this.#names = names
    this.#samples = names.map(() => [])
    this.#shown = names.map(() => new Set())
    this.#hasEmpty = names.map(() => false)
    this.#numbers = names.map(() => new NumberFormatReader())
    this.#dates = names.map(() => new DateOrderReader())
  }

  get rows(): number {
    return this.#rows
  }

  add(cells: readonly string[]): void {
    const isSample = this.#rows < SAMPLE_ROWS
    this.#rows += 1
    for (const [index, cell] of cells.entries()) {
      const text = cell.trim()
      if (isSample) this.#samples[index]!.push(text)
      if (text === '') {
        this.#hasEmpty[index] = true
        continue
      }
      const shown = this.#shown[index]!
      if (shown.size < SHOWN_SAMPLES) shown.add(shorten(text))
      if (!/\p{Nd}/u.test(text)) continue
      this.#numbers[index]!.add(text)
      this.#dates[index]!.add(text)
    }
  }

  /** The columns with their proposals. */
  describe(
    customFields: readonly KnownField[],
    kind: ImportKind | null,
    locale: LocaleFormats,
  ): readonly ImportColumn[] {
    const columns: readonly FileColumn[] = this.#names.map((name, index) => ({
      name,
      values: this.#samples[index]!,
    }))
    const proposals = proposeColumns(columns, { customFields, ...(kind !== null && { kind }) })
    return this.#names.map((name, index) => this.#describeColumn(name, index, proposals[index]!, locale))
  }

  #describeColumn(
    name: string,
    index: number,
    { target, reason }: ColumnProposal,
    locale: LocaleFormats,
  ): ImportColumn {
    const number = this.#numbers[index]!.read(locale.numberFormat)
    const date = this.#dates[index]!.read(locale.dateOrder)
    const isDate = target !== null && isDateTarget(target)
    return {
      name,
      samples: [...this.#shown[index]!],
      has_empty: this.#hasEmpty[index]!,
      target,
      reason,
      number_format: number.format,
      date_order: date.order,
      is_ambiguous:
        target !== null && (isDate ? date.isAmbiguous : isNumberTarget(target) && number.isAmbiguous),
      replace: [],
      if_invalid: 'refuse',
    }
  }
}

function isDateTarget(target: NonNullable<ColumnProposal['target']>): boolean {
  if (isNewField(target)) return target.type === 'date'
  return /_(?:date|at)(?::|$)/.test(target.field)
}

function isNumberTarget(target: NonNullable<ColumnProposal['target']>): boolean {
  if (isNewField(target)) return target.type === 'number'
  return ['amount', 'price_cts', 'score'].includes(target.field) || target.field.startsWith('custom_fields.')
}
