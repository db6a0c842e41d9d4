import type { Board, BoardStage, DealListItem, StageReference } from '@sales-crm/client'
import { useEffect, useRef } from 'preact/hooks'
import { undoLast } from '../../cache/undo.ts'
import { FocusStandIn } from '../../keyboard/focus-stand-in.ts'
import { useFocusRef } from '../../keyboard/use-focus-ref.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import { useShell } from '../../shell/shell-context.ts'
import type { Selection } from '../../table/use-selection.ts'
import { type CardPosition, findCard, nextColumn } from './card-position.ts'

interface BoardKeysOptions {
  readonly board: Board
  /** The open stages, with all deals that are shown. */
  readonly stages: readonly BoardStage[]
  readonly selection: Selection<DealListItem>
  readonly moveTo: (deals: readonly DealListItem[], stage: StageReference) => void
}

/** The keys of the board. The Tab key reaches one card; the others are reached by arrows. */
export function useBoardKeys({ board, stages, selection, moveTo }: BoardKeysOptions) {
  const { openCreate } = useShell()
  const cards = useCardFocus(board, stages)
  const { positionNow, dealAt, focusCard } = cards
  const dealNow = () => dealAt(positionNow())

  function step(rows: number, selects = false): void {
    const before = positionNow()
    const next = before ? { column: before.column, row: before.row + rows } : { column: 0, row: 0 }
    const passed = selects ? [dealAt(before), dealAt(next)] : []
    for (const deal of passed) if (deal) selection.add(deal)
    focusCard(next)
  }
  function stepColumn(columns: 1 | -1): void {
    const next = nextColumn(stages, positionNow(), columns)
    if (next) focusCard(next)
  }
  function moveByStages(columns: number): void {
    const now = positionNow()
    const deal = dealAt(now)
    const target = now && stages[now.column + columns]
    if (deal && target) moveTo([deal], target)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    'Shift+J': () => step(1, true),
    'Shift+K': () => step(-1, true),
    ArrowLeft: () => stepColumn(-1),
    ArrowRight: () => stepColumn(1),
    'Shift+ArrowLeft': () => moveByStages(-1),
    'Shift+ArrowRight': () => moveByStages(1),
    x: () => {
      const deal = dealNow()
      if (deal) selection.toggle(deal)
    },
    Escape: selection.clear,
    z: undoLast,
    c: () => openCreate('deals', { pipelineId: board.id }),
  })
  return {
    ...cards,
    shown: {
      atHand: dealNow,
      find: (id: string) => dealAt(findCard(stages, id)),
      focusAtHand() {
        const now = positionNow()
        if (now) focusCard(now)
      },
    },
  }
}

/** The card that has the focus. */
function useCardFocus(board: Board, stages: readonly BoardStage[]) {
  const focus = useFocusRef<string>()
  const positionNow = () => findCard(stages, focus.ref.current)
  function focusCard({ column, row }: CardPosition): void {
    const deals = stages[column]?.deals ?? []
    const target = deals[Math.max(0, Math.min(row, deals.length - 1))]
    if (!target) return
    focus.set(target.id)
    document.querySelector<HTMLElement>(cardSelector(target.id))?.focus()
  }
  const position = positionNow()
  useRestoredFocus(board, { focus, stages, focusCard })
  return {
    position,
    /** The present position: keys may come before anything is drawn. */
    positionNow,
    dealAt: (at: CardPosition | undefined) => at && stages[at.column]?.deals[at.row],
    focusCard,
    /** Id of the card that the Tab key reaches. */
    tabStop: position ? focus.value : stages.flatMap(({ deals }) => deals)[0]?.id,
    onFocus: ({ target }: FocusEvent) => {
      const id = target instanceof HTMLElement ? target.dataset['focus'] : undefined
      if (id !== undefined) focus.set(id)
    },
  }
}

interface CardFocus {
  readonly focus: ReturnType<typeof useFocusRef<string>>
  readonly stages: readonly BoardStage[]
  readonly focusCard: (position: CardPosition) => void
}

/**
 * A card that moves to another stage is drawn anew there. What is won, lost or deleted gives the focus to its neighbour,
 * and gets it back when it comes back.
 */
function useRestoredFocus(board: Board, { focus, stages, focusCard }: CardFocus): void {
  const lastPosition = useRef<CardPosition>(undefined)
  const standIn = useRef(new FocusStandIn()).current
  useEffect(() => {
    const id = focus.ref.current
    const returned = standIn.end(id, (each) => findCard(stages, each) !== undefined)
    const position = findCard(stages, returned ?? id)
    const target = position ?? lastPosition.current
    if (id === undefined || !target) return
    const hasFocus = document.activeElement === document.querySelector(cardSelector(id))
    if (document.activeElement !== document.body && !(returned && hasFocus)) return
    focusCard(target)
    if (!position && focus.ref.current !== undefined) standIn.begin(id, focus.ref.current)
  }, [board])
  useEffect(() => {
    lastPosition.current = findCard(stages, focus.ref.current) ?? lastPosition.current
  })
}

function cardSelector(id: string): string {
  return `[data-focus="${id}"]`
}
