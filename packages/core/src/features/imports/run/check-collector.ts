import type { CheckReport, ProblemGroup, RowPreview } from '../import-record.ts'
import type { CellProblem } from '../row-result.ts'
import { countOutcomes } from './count-outcomes.ts'
import type { RowDrafts } from './row-processor.ts'
import type { RecordOutcome, RowOutcome } from './row-state.ts'

const [MAX_CELLS, MAX_GROUPS, MAX_EXAMPLES] = [50, 100, 10]
/** Fields in which a record of each kind has its name. */
const NAME_FIELDS = ['full_name', 'name', 'title', 'content_html']
const TWIN = 'Is in an earlier row too: that one counts.'

/** Collects what a check finds, in memory that does not grow with the file. */
export class CheckCollector {
  #counts: Pick<CheckReport, 'counts' | 'rows_with_problems'> = { counts: {}, rows_with_problems: 0 }
  readonly #groups = new Map<
    string,
    { count: number; group: ProblemGroup; cells: ProblemGroup['cells'][number][] }
  >()
  readonly #examples: RowPreview[] = []
  #rows = 0

  get rows(): number {
    return this.#rows
  }

  add(rows: readonly RowDrafts[], outcomes: readonly RowOutcome[]): void {
    this.#counts = countOutcomes(this.#counts, outcomes)
    this.#rows += rows.length
    for (const [index, { records, problems }] of outcomes.entries()) {
      const { number } = rows[index]!.row
      for (const problem of problems) this.#addProblem(problem, number)
      for (const record of records)
        if (record.isTwin && record.kind !== 'companies')
          this.#addProblem(
            { kind: record.kind, column: '', value: nameOf(record) ?? '', message: TWIN },
            number,
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
      .map(({ count, cells, group }) => ({ ...group, count, cells }))
    return {
      ...this.#counts,
      problems,
      examples: this.#examples,
      over_quota: Math.max(0, this.#created - room),
    }
  }

  #addProblem({ kind, column, value, message }: CellProblem, row: number): void {
    const key = JSON.stringify([kind, column, message])
    const group = this.#groups.get(key)
    if (group) {
      group.count += 1
      if (group.cells.length < MAX_CELLS) group.cells.push({ row, value })
    } else if (this.#groups.size < MAX_GROUPS) {
      this.#groups.set(key, {
        count: 1,
        group: { kind, column, message, count: 1, cells: [] },
        cells: [{ row, value }],
      })
    }
  }
}

function toPreview(record: RecordOutcome) {
  const { kind, action, input } = record
  return { kind, action, name: nameOf(record), fields: input }
}

function nameOf({ input }: Pick<RecordOutcome, 'input'>): string | null {
  const field = NAME_FIELDS.find((each) => typeof input[each] === 'string')
  return field === undefined ? null : String(input[field]).slice(0, 120)
}
