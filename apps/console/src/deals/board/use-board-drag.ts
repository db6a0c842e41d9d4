import type { BoardStage, DealListItem } from '@sales-crm/client'
import type { RefObject } from 'preact'
import { useConsole } from '../../app/console-context.ts'
import { useDragSurface } from '../../ui/drag/use-drag-surface.ts'
import { announce } from '../../ui/live-region.tsx'

const loadCardDrag = async () => (await import('./card-drag.ts')).createCardDrag

/** Moves cards by mouse and touch. Returns the reference of the board. */
export function useBoardDrag(
  stages: readonly BoardStage[],
  moveTo: (deals: readonly DealListItem[], stage: BoardStage) => void,
): RefObject<HTMLElement | null> {
  const { texts } = useConsole()
  return useDragSurface(
    {
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
    },
    loadCardDrag,
  )
}

function findDeal(stages: readonly BoardStage[], id: string): DealListItem | undefined {
  return stages.flatMap(({ deals }) => deals).find((deal) => deal.id === id)
}
