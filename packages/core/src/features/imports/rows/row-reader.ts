import { readCell } from '../../exports/cells.ts'
import { isFailuresFile } from '../columns/failures-column.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import type { ImportColumn } from '../import-record.ts'
import type { CellProblem } from '../row-result.ts'
import { compileCells, currencyReader, type ReadColumn, type ReadingContext } from './compile-column.ts'
import { finishDraft } from './finish-draft.ts'
import { DraftBuilder, type RecordDraft } from './record-draft.ts'

/** Records are written in this order, so that those that are linked to exist. */
const WRITING_ORDER: readonly ImportKind[] = [
  'companies',
  'people',
  'deals',
  'products',
  'tasks',
  'activities',
]
interface CompiledColumn {
  readonly kind: ImportKind
  readonly read: ReadColumn
  readonly index: number
}

/** What the cells of a row say. */
export interface RowReading {
  /** The records, in the order in which they are written. */
  readonly drafts: readonly RecordDraft[]
  /** Cells that break a rule, and are left empty for that. */
  readonly blankCells: readonly CellProblem[]
}

const NO_CELLS: readonly CellProblem[] = []

/** Reads the cells of rows as the targets of their columns say. */
export class RowReader {
  readonly #columns: readonly CompiledColumn[]
  readonly #canBeBlank: boolean
  /** True if cells have the quotes by which spreadsheets do not run them. */
  readonly #isGuarded: boolean

  constructor(columns: readonly ImportColumn[], context: ReadingContext) {
    const currencies = new Map(
      columns.flatMap((column, index) =>
        column.target?.field === 'currency'
          ? [[column.target.kind, currencyReader(column, index)] as const]
          : [],
      ),
    )
    this.#isGuarded = isFailuresFile(columns.map(({ name }) => name)) && columns.at(-1)!.target === null
    this.#canBeBlank = columns.some(({ if_invalid }) => if_invalid === 'blank')
    this.#columns = columns.flatMap((column, index) => {
      const { target } = column
      if (!target) return []
      const read = compileCells({ column, target, context, currencyOf: currencies.get(target.kind) })
      return read ? [{ kind: target.kind, index, read }] : []
    })
  }

  read(cells: readonly string[]): RowReading {
    const rowCells = this.#isGuarded ? cells.map(readCell) : cells
    const drafts = new Map<ImportKind, DraftBuilder>()
    for (const { kind, index, read } of this.#columns) {
      const draft = drafts.get(kind) ?? new DraftBuilder(kind)
      drafts.set(kind, draft)
      read(rowCells[index]!.trim(), draft, rowCells)
    }
    const records = WRITING_ORDER.flatMap((kind) => {
      const draft = drafts.get(kind)
      return draft?.hasValue ? finishDraft(kind, draft) : []
    })
    // A cell that is left empty may have been the only one of its record.
    const blankCells = this.#canBeBlank ? [...drafts.values()].flatMap((draft) => draft.blankCells) : NO_CELLS
    return { drafts: records, blankCells }
  }
}
