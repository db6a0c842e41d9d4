import type { BoardStage, DealListItem } from '@sales-crm/client'

/** A page of the list of deals in a stage. */
export interface StagePage {
  readonly stageId: string
  readonly deals: readonly DealListItem[]
  readonly has_more: boolean
}

/** Adds the pages that were read to the first deals of the stages. A deal that was moved since is where it is now. */
export function addDeals(stages: readonly BoardStage[], pages: readonly StagePage[]): readonly BoardStage[] {
  if (pages.length === 0) return stages
  const shown = new Set(stages.flatMap(({ deals }) => deals).map(({ id }) => id))
  return stages.map((stage) => {
    const ofStage = pages.filter(({ stageId }) => stageId === stage.id)
    const added = new Map(
      ofStage
        .flatMap(({ deals }) => deals)
        .filter((deal) => !shown.has(deal.id) && deal.stage?.id === stage.id)
        .map((deal) => [deal.id, deal]),
    )
    return {
      ...stage,
      deals: [...stage.deals, ...added.values()],
      has_more: ofStage.at(-1)?.has_more ?? stage.has_more,
    }
  })
}
