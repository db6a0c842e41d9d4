import { EDITED_COLUMNS, type EditedColumn } from './item-columns.ts'

/** The line at the end of the grid, or below another one, that becomes an item. */
export const NEW_LINE = 'new'

const CELLS = [...EDITED_COLUMNS, 'total_cts', 'actions'] as const

export type CellName = (typeof CELLS)[number]

/** A cell of the grid. The new line has only a name. */
export interface Cell {
  /** The key of the line. */
  readonly line: string
  readonly name: CellName
}

export function isSameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  return a?.line === b?.line && a?.name === b?.name
}

/** The keys that move, by their names. */
const STEPS: Readonly<Record<string, readonly [lines: number, cells: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  'Control+Home': [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  'Control+End': [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
}

/**
 * The cell that a key moves to, which ends at the edges.
 * @param lines the keys of the lines in their order
 * @returns undefined for a key that does not move
 */
export function moveToCell(cell: Cell, key: string, lines: readonly string[]): Cell | undefined {
  const step = STEPS[key]
  if (!step) return undefined
  const line = lines[clamp(lines.indexOf(cell.line) + step[0], lines.length)] ?? cell.line
  const name = CELLS[clamp(CELLS.indexOf(cell.name) + step[1], CELLS.length)] ?? cell.name
  // The column stays while the new line is passed.
  return { line, name }
}

/**
 * The cell that is edited after another one: the next of its line, or the first of the next line.
 * @returns undefined before the first and after the last one
 */
export function nextEditedCell(cell: Cell, isBackwards: boolean, lines: readonly string[]): Cell | undefined {
  const cells = lines.flatMap((line): readonly Cell[] =>
    line === NEW_LINE ? [{ line, name: 'name' }] : EDITED_COLUMNS.map((name) => ({ line, name })),
  )
  return cells[cells.findIndex((each) => isSameCell(each, cell)) + (isBackwards ? -1 : 1)]
}

export function isEdited(name: CellName): name is EditedColumn {
  return (EDITED_COLUMNS as readonly string[]).includes(name)
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1))
}
