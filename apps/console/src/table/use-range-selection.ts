import { useRef } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { showError } from '../ui/toasts.tsx'
import type { Selection } from './use-selection.ts'

interface RangeSelectionOptions<Row> {
  readonly rowAt: (index: number) => Row | undefined
  readonly readRows: (start: number, end: number) => Promise<readonly Row[]>
  readonly selection: Selection<Row>
}

/** Selects a row, or with the Shift key all from the one before to this one, whether or not they are drawn. */
export function useRangeSelection<Row extends { readonly id: string }>(options: RangeSelectionOptions<Row>) {
  const { rowAt, readRows, selection } = options
  const { texts } = useConsole()
  const last = useRef<{ readonly index: number; readonly id: string }>(undefined)

  async function selectRange(start: number, end: number, isSelected: boolean): Promise<void> {
    try {
      selection.set(await readRows(Math.min(start, end), Math.max(start, end)), isSelected)
    } catch (error) {
      showError(`${texts.errors.loading} ${explainError(error, texts)}`)
    }
  }
  return (index: number, isSelected: boolean, withShift: boolean): void => {
    const row = rowAt(index)
    if (!row) return
    const before = last.current
    last.current = { index, id: row.id }
    // The rows change by filters and by others.
    if (withShift && before && rowAt(before.index)?.id === before.id)
      void selectRange(before.index, index, isSelected)
    else selection.set([row], isSelected)
  }
}
