import type { Board, BoardStage, DealListItem } from '@sales-crm/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { undoLast } from '../../cache/undo.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import { useShell } from '../../shell/shell-context.ts'
import type { CardActions } from '../card-actions.ts'
import { splitStages } from './move-on-board.ts'

/** The keys of the board. The Tab key reaches one card; the others are reached by arrows. */
export function useBoardKeys(board: Board, { moveTo, chooseStage }: Omit<CardActions, 'stages'>) {
  const { openCreate } = useShell()
  const [focusedId, setFocusedId] = useState<string>()
  const { open } = splitStages(board.stages)
  const position = findCard(open, focusedId)
  const firstId = open.flatMap(({ deals }) => deals)[0]?.id
  const deal = position && open[position.column]?.deals[position.row]

  // A card that moves to another stage is drawn anew there. What is deleted gives the focus to its neighbour.
  const lastPosition = useRef(position)
  useEffect(() => {
    if (document.activeElement !== document.body || focusedId === undefined) return
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
    setFocusedId(target.id)
    document.querySelector<HTMLElement>(`[data-focus="${target.id}"]`)?.focus()
  }
  function step(rows: number): void {
    if (position) focusCard(position.column, position.row + rows)
    else focusCard(0, 0)
  }
  /** Skips stages without cards. */
  function stepColumn(columns: number): void {
    if (!position) {
      focusCard(0, 0)
      return
    }
    let column = position.column + columns
    while (open[column]?.deals.length === 0) column += columns
    if (open[column]) focusCard(column, position.row)
  }
  function moveByStages(columns: number): void {
    const target = position && open[position.column + columns]
    if (deal && target) moveTo(deal, target)
  }
  function moveToEnd(type: 'win' | 'lost'): void {
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
    m: () => deal && chooseStage(deal),
    w: () => moveToEnd('win'),
    'Shift+W': () => moveToEnd('lost'),
    t: () => openCreate('tasks', deal ? { deal } : {}),
    z: undoLast,
    c: () => openCreate('deals', { pipelineId: board.id }),
  })

  return {
    tabStop: position ? focusedId : firstId,
    onFocus: ({ target }: FocusEvent) => {
      const id = target instanceof HTMLElement ? target.dataset['focus'] : undefined
      if (id !== undefined) setFocusedId(id)
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
