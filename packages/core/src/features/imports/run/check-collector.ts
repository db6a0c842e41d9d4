import { CELL_RULES } from '../cell-rules.ts'
import type { CheckReport, ProblemCell, ProblemGroup, ProblemValue, RowPreview } from '../import-record.ts'
import { foldValue } from '../remedies/replacements.ts'
import type { CellProblem } from '../row-result.ts'
import { countOutcomes } from './count-outcomes.ts'
import type { RowDrafts } from './row-processor.ts'
import type { RecordOutcome, RowOutcome } from './row-state.ts'

const [MAX_CELLS, MAX_VALUES, MAX_GROUPS, MAX_EXAMPLES] = [50, 50, 100, 10]
/** Fields in which a record of each kind has its name. */
const NAME_FIELDS = ['full_name', 'name', 'title', 'content_html']

/** Collects what a check finds, in memory that does not grow with the file. */
export class CheckCollector {
  #counts: Pick<CheckReport, 'counts' | 'rows_with_problems'> = { counts: {}, rows_with_problems: 0 }
  readonly #groups = new Map<string, CollectedGroup>()
  readonly #examples: RowPreview[] = []
  #rows = 0

  get rows(): number {
    return this.#rows
  }

  add(rows: readonly RowDrafts[], outcomes: readonly RowOutcome[]): void {
    this.#counts = countOutcomes(this.#counts, outcomes)
    this.#rows += rows.length
    for (const [index, { records, problems, blankCells }] of outcomes.entries()) {
      const { row, ...reading } = rows[index]!
      const { number } = row
      for (const problem of problems) this.#addProblem(problem, number, false)
      for (const cell of [...reading.blankCells, ...blankCells]) this.#addProblem(cell, number, true)
      for (const record of records)
        if (record.isTwin && record.kind !== 'companies')
          this.#addProblem(
            { kind: record.kind, column: '', value: nameOf(record) ?? '', ...CELL_RULES.repeated },
            number,
            false,
          )
      if (this.#examples.length < MAX_EXAMPLES)
        this.#examples.push({ row: number, records: records.map(toPreview) })
    }
  }

  /** Records that would be made. */
  get #created(): number {
    return Object.values(this.#counts.counts).reduce((sum, { created }) => sum + created, 0)
  }

  /**
   * The most frequent problems first.
   * @param room records that the workspace has room for
   */
  report(room: number): CheckReport {
    const problems = [...this.#groups.values()]
      .toSorted((a, b) => b.count - a.count)
      .map(({ group, count, values, cells }) => ({
        ...{ ...group, count, cells },
        values: [...values.values()].toSorted((a, b) => b.count - a.count),
      }))
    return {
      ...this.#counts,
      problems,
      examples: this.#examples,
      over_quota: Math.max(0, this.#created - room),
    }
  }

  #addProblem({ value, ...problem }: CellProblem, row: number, is_blank: boolean): void {
    const { kind, column, code, message } = problem
    const key = JSON.stringify([kind, column, message, is_blank])
    const known = this.#groups.get(key)
    if (!known && this.#groups.size === MAX_GROUPS) return
    const group: CollectedGroup = known ?? {
      ...{ group: { kind, column, code, message, is_blank }, count: 0 },
      ...{ values: new Map(), cells: [] },
    }
    this.#groups.set(key, group)
    group.count += 1
    if (group.cells.length < MAX_CELLS) group.cells.push({ row, value })
    if (value !== '') countValue(group.values, value)
  }
}

interface CollectedGroup {
  readonly group: Omit<ProblemGroup, 'count' | 'values' | 'cells'>
  count: number
  readonly values: Map<string, ProblemValue>
  readonly cells: ProblemCell[]
}

function countValue(values: Map<string, ProblemValue>, value: string): void {
  const key = foldValue(value)
  const known = values.get(key)
  if (known) values.set(key, { ...known, count: known.count + 1 })
  else if (values.size < MAX_VALUES) values.set(key, { value, count: 1 })
}

function toPreview(record: RecordOutcome) {
  const { kind, action, input } = record
  return { kind, action, name: nameOf(record), fields: input }
}

function nameOf({ input }: Pick<RecordOutcome, 'input'>): string | null {
  const field = NAME_FIELDS.find((each) => typeof input[each] === 'string')
  return field === undefined ? null : String(input[field]).slice(0, 120)
}
