import type { BoardStage, DealListItem } from '@sales-crm/client'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { announce } from '../../ui/live-region.tsx'
import type { DragListener } from './card-drag.ts'

/** Moves cards by mouse and touch. What it needs is loaded once the board is shown. */
export function useBoardDrag(
  stages: readonly BoardStage[],
  moveTo: (deals: readonly DealListItem[], stage: BoardStage) => void,
): { readonly boardRef: RefObject<HTMLElement | null> } {
  const { texts } = useConsole()
  const boardRef = useRef<HTMLElement>(null)
  const listener = useRef<DragListener>(null)
  listener.current = {
    onLift: (dealId) => {
      const deal = findDeal(stages, dealId)
      if (deal) announce(texts.deals.lift(deal.name))
    },
    onDrop: (dealId, stageId) => {
      const deal = findDeal(stages, dealId)
      const stage = stages.find(({ id }) => id === stageId)
      if (deal && stage && deal.stage?.id !== stage.id) moveTo([deal], stage)
      else announce(texts.deals.dropped)
    },
  }
  useEffect(() => {
    let stop = () => {}
    let isGone = false
    void import('./card-drag.ts').then(({ startCardDrag }) => {
      const element = boardRef.current
      if (!isGone && element) stop = startCardDrag(element, listener)
    })
    return () => {
      isGone = true
      stop()
    }
  }, [])
  return { boardRef }
}

function findDeal(stages: readonly BoardStage[], id: string): DealListItem | undefined {
  return stages.flatMap(({ deals }) => deals).find((deal) => deal.id === id)
}
