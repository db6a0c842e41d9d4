import type { BoardStage } from '@sales-crm/client'

/** Where a card stands: the index of its stage, and its index there. */
export interface CardPosition {
  readonly column: number
  readonly row: number
}

type Stages = readonly Pick<BoardStage, 'deals'>[]

export function findCard(stages: Stages, id: string | undefined): CardPosition | undefined {
  for (const [column, { deals }] of stages.entries()) {
    const row = deals.findIndex((each) => each.id === id)
    if (row !== -1) return { column, row }
  }
  return undefined
}

/** The position beside a card, in the next stage that has cards; the first one if there is no card. */
export function nextColumn(
  stages: Stages,
  from: CardPosition | undefined,
  columns: 1 | -1,
): CardPosition | undefined {
  let column = from ? from.column + columns : 0
  while (stages[column]?.deals.length === 0) column += columns
  return stages[column] && { column, row: from?.row ?? 0 }
}
