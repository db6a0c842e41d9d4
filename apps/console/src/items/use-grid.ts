import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useFocusRef } from '../keyboard/use-focus-ref.ts'
import { type Cell, type CellName, isEdited, isSameCell, NEW_LINE } from './cells.ts'

/** A text that was refused: it stays in its cell until it is changed or put back. */
export interface Fault {
  readonly typed: string
  readonly reason: string
}

interface Edit {
  readonly cell: Cell
  /** With what the field begins. */
  readonly text: string
  /** True if the text is chosen, so that what is typed takes its place. */
  readonly isWhole: boolean
}

export interface GridOptions {
  /** The keys of the lines in the order in which they are drawn. */
  readonly lines: readonly string[]
  /** The text of a cell as it is edited. */
  readonly textOf: (cell: Cell) => string
  /** Adds to what is typed into the new line. */
  readonly typeNewLine: (text: string) => void
  /** @returns the reason why a text is no value */
  readonly save: (cell: Cell, typed: string) => string | undefined
}

/** Which cell of the grid has the focus, which one is edited, and what was refused. */
export function useGrid({ lines, textOf, save, typeNewLine }: GridOptions) {
  const cursor = useFocusRef<Cell>()
  const edit = useFocusRef<Edit>()
  const typed = useRef('')
  const takesFocus = useRef(false)
  const table = useRef<HTMLTableElement>(null)
  const [faults, setFaults] = useState<Readonly<Record<string, Fault>>>({})

  useLayoutEffect(() => {
    if (!takesFocus.current || isEditing()) return
    takesFocus.current = false
    table.current?.querySelector<HTMLElement>('[data-at]')?.focus()
  })

  /** The cell with the focus; the first one at the beginning, and when its line has gone. */
  function at(): Cell {
    const now = cursor.ref.current
    return now && lines.includes(now.line) ? now : { line: lines[0] ?? NEW_LINE, name: 'name' }
  }
  /** False once the line of the edited cell has gone. */
  function isEditing(): boolean {
    return edit.ref.current !== undefined && lines.includes(edit.ref.current.cell.line)
  }
  function focus(cell: Cell): void {
    takesFocus.current = true
    cursor.set(cell)
  }
  /** Follows the focus, which a press or a screen reader has moved. */
  function reach(cell: Cell): void {
    if (!isSameCell(cursor.ref.current, cell)) cursor.set(cell)
  }
  function setFault({ line, name }: Cell, fault: Fault | undefined): void {
    setFaults(({ [faultKey(line, name)]: _, ...others }) =>
      fault ? { ...others, [faultKey(line, name)]: fault } : others,
    )
  }
  function open(cell: Cell, text?: string): void {
    cursor.set(cell)
    if (!isEdited(cell.name)) {
      focus(cell)
      return
    }
    const begin = text ?? faults[faultKey(cell.line, cell.name)]?.typed ?? textOf(cell)
    typed.current = begin
    if (cell.line === NEW_LINE && text) typeNewLine(text)
    edit.set({ cell, text: begin, isWhole: text === undefined })
  }
  /** Saves what is edited. @returns false for a text that is no value, which stays */
  function commit(): boolean {
    const now = edit.ref.current
    edit.set(undefined)
    if (!now || now.cell.line === NEW_LINE) return true
    const reason = save(now.cell, typed.current)
    setFault(now.cell, reason === undefined ? undefined : { typed: typed.current, reason })
    return reason === undefined
  }
  function cancel(): void {
    const now = edit.ref.current
    edit.set(undefined)
    if (now) setFault(now.cell, undefined)
    focus(at())
  }
  /** Saves what is edited in a cell whose field loses the focus, unless another one is edited by now. */
  function leave(cell: Cell): void {
    if (isSameCell(edit.ref.current?.cell, cell)) commit()
  }
  return {
    table,
    leave,
    faults,
    setFault,
    at,
    focus,
    reach,
    open,
    commit,
    cancel,
    edited: edit.value,
    isEditing,
    type: (text: string) => {
      typed.current = text
    },
  }
}

export type Grid = ReturnType<typeof useGrid>

export function faultKey(line: string, name: CellName): string {
  return `${line} ${name}`
}
