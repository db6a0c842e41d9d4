import type { BoardStage, DealListItem } from '@sales-crm/client'

/** What can be done with a card of a board. */
export interface CardActions {
  readonly moveTo: (deal: DealListItem, stage: BoardStage) => void
  readonly chooseStage: (deal: DealListItem) => void
  readonly stages: readonly BoardStage[]
}
