import { undoLast } from '../cache/undo.ts'
import { type Cell, moveToCell, NEW_LINE, nextEditedCell } from './cells.ts'
import { isTable } from './read-lines.ts'
import type { Grid } from './use-grid.ts'

/** What keys do with a line, named by its key. */
export interface LineActions {
  readonly remove: (line: string) => void
  readonly move: (line: string, by: -1 | 1) => void
  readonly copy: (line: string) => void
  /** Opens a new line below. */
  readonly addBelow: (line: string) => void
  /** Adds copied rows below. */
  readonly paste: (rows: string, line: string) => void
}

interface GridKeysOptions {
  readonly grid: Grid
  readonly lines: readonly string[]
  readonly actions: LineActions
  readonly isReadOnly: boolean
  /** Leaves the grid. */
  readonly leave: () => void
}

/** The keys of the grid. Single letters are typed into its cells, and do not act as elsewhere on the page. */
export function useGridKeys({ grid, lines, actions, isReadOnly, leave }: GridKeysOptions) {
  function goOn(isBackwards: boolean): void {
    const cell = grid.at()
    const next = nextEditedCell(cell, isBackwards, lines)
    if (!grid.commit()) grid.open(cell)
    else if (next) grid.open(next)
    else grid.focus(cell)
  }

  /** @returns true for a key that the field does not get */
  function handleEditKey(key: string, cell: Cell): boolean {
    switch (key) {
      case 'Enter':
        if (grid.commit()) grid.focus(cell)
        else grid.open(cell)
        return true
      case 'Control+Enter':
        if (grid.commit()) actions.addBelow(cell.line)
        else grid.open(cell)
        return true
      case 'Tab':
      case 'Shift+Tab':
        goOn(key === 'Shift+Tab')
        return true
      case 'Escape':
        grid.cancel()
        return true
      default:
        return false
    }
  }

  function handleLineKey(key: string, line: string): boolean {
    if (isReadOnly || line === NEW_LINE) return false
    switch (key) {
      case 'Delete':
        actions.remove(line)
        return true
      case 'Alt+ArrowUp':
      case 'Alt+ArrowDown':
        actions.move(line, key === 'Alt+ArrowUp' ? -1 : 1)
        return true
      case 'Control+d':
        actions.copy(line)
        return true
      case 'Control+Enter':
        actions.addBelow(line)
        return true
      default:
        return false
    }
  }

  function handleCellKey(key: string, cell: Cell): boolean {
    const target = moveToCell(cell, key, lines)
    if (target) grid.focus(target)
    else if (key === 'Escape') leave()
    else if (key === 'Control+z') undoLast()
    else if (isReadOnly || cell.name === 'actions') return false
    else if (key === 'Enter' || key === 'F2' || key === ' ') grid.open(cell)
    else if (key === 'Backspace') grid.open(cell, '')
    else if (isLetter(key)) grid.open(cell, key)
    else return false
    return true
  }

  return {
    onKeyDown(event: KeyboardEvent): void {
      const key = nameOf(event)
      const cell = grid.at()
      const isHandled = grid.isEditing()
        ? handleEditKey(key, cell)
        : handleLineKey(key, cell.line) || handleCellKey(key, cell)
      if (isHandled) event.preventDefault()
      if (isHandled || isLetter(key)) event.stopPropagation()
    },
    onPaste(event: ClipboardEvent): void {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      const cell = grid.at()
      const isNewLine = cell.line === NEW_LINE
      if (isReadOnly || text.trim() === '' || (grid.isEditing() && !isNewLine)) return
      if (isTable(text)) actions.paste(text, cell.line)
      else if (grid.isEditing() || cell.name === 'actions') return
      else grid.open(cell, text)
      event.preventDefault()
    },
  }
}

/** Such as `Control+d`, for ⌘ and D, too. */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const control = ctrlKey || metaKey
  const parts = [control && 'Control', altKey && 'Alt', shiftKey && key === 'Tab' && 'Shift']
  return [
    ...parts.filter(Boolean),
    control ? key.replace(/^.$/u, (letter) => letter.toLowerCase()) : key,
  ].join('+')
}

function isLetter(key: string): boolean {
  return [...key].length === 1
}
