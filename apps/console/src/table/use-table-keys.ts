import { useEffect, useRef } from 'preact/hooks'
import { undoLast } from '../cache/undo.ts'
import { useFocusRef } from '../keyboard/use-focus-ref.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { showReason } from '../ui/toasts.tsx'
import type { Lines } from './groups/lines.ts'
import type { Selection } from './use-selection.ts'

interface TableKeysOptions<Row> {
  readonly lines: Lines
  /** Folds or unfolds a group; undefined for a table without groups. */
  readonly fold: ((section: number, isFolded: boolean) => void) | undefined
  readonly rowAt: (index: number) => Row | undefined
  readonly open: (index: number) => void
  /** Why a row cannot be changed. */
  readonly reasonOf: (row: Row) => string | undefined
  readonly selection: Selection<Row>
  readonly select: (index: number, isSelected: boolean, withShift: boolean) => void
  readonly scrollTo: (index: number) => void
  /** Selects all loaded rows, and then all that match. */
  readonly selectMore: () => void
}

/** The keys of a table. The Tab key reaches one row; the others are reached by J, K and arrows. */
export function useTableKeys<Row extends { readonly id: string }>(options: TableKeysOptions<Row>) {
  const { lines, fold, rowAt, open, reasonOf, selection, select, scrollTo, selectMore } = options
  const focus = useFocusRef<number>()
  const focusedId = useRef<string>(undefined)
  function setFocus(index: number): void {
    focus.set(index)
    focusedId.current = rowAt(index)?.id
  }
  function step(rows: number, selects = false): void {
    if (lines.count === 0) return
    const focused = focus.ref.current
    const next = focused === undefined ? 0 : Math.max(0, Math.min(focused + rows, lines.count - 1))
    for (const index of selects ? [focused, next] : []) {
      const row = index === undefined ? undefined : rowAt(index)
      if (row) selection.add(row)
    }
    moveTo(next)
  }
  function moveTo(index: number): void {
    setFocus(index)
    scrollTo(index)
    if (!focusRow(index)) requestAnimationFrame(() => focusRow(index))
  }
  /** Folds the group of the line that has the focus, whose head then has it. */
  function foldAtHand(isFolded: boolean): void {
    const line = focus.ref.current === undefined ? undefined : lines.at(focus.ref.current)
    if (!line || !fold) return
    fold(line.section, isFolded)
    if (isFolded) moveTo(lines.headOf(line.section))
  }
  function toggle(): void {
    const focused = focus.ref.current
    const row = focused === undefined ? undefined : rowAt(focused)
    if (focused !== undefined && row) select(focused, !selection.has(row.id), false)
  }
  function edit(): void {
    const row = rowAtHand()
    const reason = row && reasonOf(row)
    if (reason === undefined)
      document.querySelector<HTMLElement>(`[data-row="${focus.ref.current}"] [data-edit]`)?.click()
    else showReason(reason)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    'Shift+J': () => step(1, true),
    'Shift+K': () => step(-1, true),
    'Shift+ArrowDown': () => step(1, true),
    'Shift+ArrowUp': () => step(-1, true),
    ...(fold && { ArrowLeft: () => foldAtHand(true), ArrowRight: () => foldAtHand(false) }),
    '$mod+a': selectMore,
    x: toggle,
    e: edit,
    Enter: () => rowAtHand() && open(focus.ref.current!),
    Escape: selection.clear,
    z: undoLast,
  })
  /** The row that had the focus last, if it is still there: the rows change by filters and by others. */
  function rowAtHand(): Row | undefined {
    const row = focus.ref.current === undefined ? undefined : rowAt(focus.ref.current)
    return row?.id === focusedId.current ? row : undefined
  }
  const focusAtHand = () => void (focus.ref.current !== undefined && focusRow(focus.ref.current))
  useReturnedFocus(rowAtHand() !== undefined, focusAtHand)
  return { tabStop: focus.value ?? 0, focus: setFocus, rowAtHand, focusAtHand }
}

/** Focuses the row again when it comes back, such as by undo. */
function useReturnedFocus(isThere: boolean, focusAtHand: () => void): void {
  const wasThere = useRef(isThere)
  useEffect(() => {
    if (isThere && !wasThere.current && document.activeElement === document.body) focusAtHand()
    wasThere.current = isThere
  }, [isThere])
}

/** Returns false if the row is not drawn yet. */
function focusRow(index: number): boolean {
  const element = document.querySelector<HTMLElement>(`[data-row="${index}"] :is(th a, th button, input)`)
  element?.focus()
  return element !== null
}
