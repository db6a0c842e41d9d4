import type { Board, BoardStage, DealListItem } from '@sales-crm/client'
import { useEffect, useRef } from 'preact/hooks'
import { undoLast } from '../../cache/undo.ts'
import { useFocusRef } from '../../keyboard/use-focus-ref.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import { useShell } from '../../shell/shell-context.ts'
import type { CardActions } from '../card-actions.ts'
import { splitStages } from './move-on-board.ts'

/** The keys of the board. The Tab key reaches one card; the others are reached by arrows. */
export function useBoardKeys(board: Board, { moveTo, chooseStage }: Omit<CardActions, 'stages'>) {
  const { openCreate } = useShell()
  const focus = useFocusRef<string>()
  const { open } = splitStages(board.stages)
  const position = findCard(open, focus.value)
  const positionNow = () => findCard(open, focus.ref.current)
  const firstId = open.flatMap(({ deals }) => deals)[0]?.id
  const dealNow = () => {
    const now = positionNow()
    return now && open[now.column]?.deals[now.row]
  }

  // A card that moves to another stage is drawn anew there. What is deleted gives the focus to its neighbour.
  const lastPosition = useRef(position)
  useEffect(() => {
    if (document.activeElement !== document.body || focus.value === undefined) return
    if (position) focusCard(position.column, position.row)
    else if (lastPosition.current) focusCard(lastPosition.current.column, lastPosition.current.row)
  }, [board])
  useEffect(() => {
    if (position) lastPosition.current = position
  })

  function focusCard(column: number, row: number): void {
    const deals = open[column]?.deals ?? []
    const target = deals[Math.max(0, Math.min(row, deals.length - 1))]
    if (!target) return
    focus.set(target.id)
    document.querySelector<HTMLElement>(`[data-focus="${target.id}"]`)?.focus()
  }
  function step(rows: number): void {
    const now = positionNow()
    if (now) focusCard(now.column, now.row + rows)
    else focusCard(0, 0)
  }
  /** Skips stages without cards. */
  function stepColumn(columns: number): void {
    const now = positionNow()
    if (!now) {
      focusCard(0, 0)
      return
    }
    let column = now.column + columns
    while (open[column]?.deals.length === 0) column += columns
    if (open[column]) focusCard(column, now.row)
  }
  function moveByStages(columns: number): void {
    const now = positionNow()
    const deal = dealNow()
    const target = now && open[now.column + columns]
    if (deal && target) moveTo(deal, target)
  }
  function moveToEnd(type: 'win' | 'lost'): void {
    const deal = dealNow()
    const stage = board.stages.find((each) => each.type === type)
    if (deal && stage) moveTo(deal, stage)
  }

  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ArrowLeft: () => stepColumn(-1),
    ArrowRight: () => stepColumn(1),
    'Shift+ArrowLeft': () => moveByStages(-1),
    'Shift+ArrowRight': () => moveByStages(1),
    m: () => {
      const deal = dealNow()
      if (deal) chooseStage(deal)
    },
    w: () => moveToEnd('win'),
    'Shift+W': () => moveToEnd('lost'),
    t: () => {
      const deal = dealNow()
      openCreate('tasks', deal ? { deal } : {})
    },
    z: undoLast,
    c: () => openCreate('deals', { pipelineId: board.id }),
  })

  return {
    tabStop: position ? focus.value : firstId,
    onFocus: ({ target }: FocusEvent) => {
      const id = target instanceof HTMLElement ? target.dataset['focus'] : undefined
      if (id !== undefined) focus.set(id)
    },
  }
}

function findCard(
  stages: readonly BoardStage[],
  id: string | undefined,
): { readonly column: number; readonly row: number } | undefined {
  for (const [column, { deals }] of stages.entries()) {
    const row = deals.findIndex((each: DealListItem) => each.id === id)
    if (row !== -1) return { column, row }
  }
  return undefined
}
