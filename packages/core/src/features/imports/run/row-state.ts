import type { Input } from '../../../engine/patch.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import type { RowAction } from '../import-record.ts'
import type { CellProblem, WrittenRecord } from '../row-result.ts'
import type { RecordDraft } from '../rows/record-draft.ts'

/** What one record of a row became. */
export interface RecordOutcome {
  readonly kind: ImportKind
  readonly action: RowAction
  /** The input that was written. */
  readonly input: Input
  readonly id: string | undefined
  /** True if an earlier row of the file has the same value. */
  readonly isTwin: boolean
}

export interface RowOutcome {
  readonly records: readonly RecordOutcome[]
  readonly written: readonly WrittenRecord[]
  readonly problems: readonly CellProblem[]
  /** Cells that break a rule, and are left empty for that. */
  readonly blankCells: readonly CellProblem[]
}

/** Kinds that others are linked to. */
const LINKED_KINDS = ['companies', 'people', 'deals'] as const
type LinkedKind = (typeof LINKED_KINDS)[number]

/** Collects what a row has written. */
export class RowState implements RowOutcome {
  readonly records: RecordOutcome[] = []
  readonly written: WrittenRecord[] = []
  readonly problems: CellProblem[] = []
  readonly blankCells: CellProblem[] = []
  readonly #links: Partial<Record<LinkedKind, string>> = {}
  /** Why the main record, which is about another one, is left out. */
  missing: CellProblem | undefined

  add(outcome: RecordOutcome): void {
    this.records.push(outcome)
    if (outcome.id !== undefined) this.link(outcome.kind, outcome.id)
  }

  link(kind: ImportKind, id: string): void {
    const linked = LINKED_KINDS.find((each) => each === kind)
    if (linked) this.#links[linked] = id
  }

  leaveOut({ kind, fields }: RecordDraft, problems: readonly CellProblem[]): void {
    this.problems.push(...problems)
    this.records.push({ kind, action: 'left_out', input: fields, id: undefined, isTwin: false })
  }

  linksOf(kind: ImportKind): Input {
    const { companies, people, deals } = this.#links
    const company = companies === undefined ? {} : { company_id: companies }
    const person = people === undefined ? {} : { person_id: people }
    if (kind === 'people') return company
    if (kind === 'deals') return { ...company, ...person }
    if (kind === 'tasks') return { ...company, ...person, ...(deals !== undefined && { deal_id: deals }) }
    if (kind !== 'activities') return {}
    const [entity, entity_id] =
      Object.entries({ deals, people, companies }).find(([, id]) => id !== undefined) ?? []
    return entity === undefined ? {} : { entity, entity_id }
  }
}
