import type { Board, BoardStage, DealListItem } from '@sales-crm/client'

/**
 * Moves a deal to another stage of a board, with the counts and sums of both.
 * @param deal may be one that the board does not hold, since a board begins with the first deals of each stage
 */
export function moveOnBoard(
  board: Board,
  { id: dealId, ...rest }: DealListItem,
  stageId: string,
  at: string,
): Board {
  const from =
    board.stages.find(({ deals }) => deals.some(({ id }) => id === dealId)) ??
    board.stages.find(({ id, has_more }) => id === rest.stage?.id && has_more)
  const to = board.stages.find(({ id }) => id === stageId)
  if (!from || !to || from.id === to.id) return board
  const deal = from.deals.find(({ id }) => id === dealId) ?? { id: dealId, ...rest }
  const { id, name, type } = to
  const moved = {
    ...deal,
    stage: { id, name, type },
    stage_entered_at: at,
    closed_at: type === 'open' ? null : at,
  }
  return {
    ...board,
    stages: board.stages.map((stage) => {
      if (stage.id === from.id) return withoutDeal(stage, deal)
      return stage.id === to.id ? withDeal(stage, moved) : stage
    }),
  }
}

function withoutDeal(stage: BoardStage, deal: DealListItem): BoardStage {
  return {
    ...stage,
    count: stage.count - 1,
    amounts: addAmount(stage.amounts, deal, -1),
    deals: stage.deals.filter(({ id }) => id !== deal.id),
  }
}

function withDeal(stage: BoardStage, deal: DealListItem): BoardStage {
  return {
    ...stage,
    count: stage.count + 1,
    amounts: addAmount(stage.amounts, deal, 1),
    deals: [deal, ...stage.deals],
  }
}

function addAmount(
  amounts: BoardStage['amounts'],
  { currency, amount }: DealListItem,
  sign: 1 | -1,
): BoardStage['amounts'] {
  const others = amounts.filter((each) => each.currency !== currency)
  const sum = (amounts.find((each) => each.currency === currency)?.amount ?? 0) + sign * amount
  return sum === 0 ? others : [...others, { currency, amount: sum }]
}

/** The sums of the open stages, by currency. */
export function sumOpen(stages: readonly BoardStage[]): BoardStage['amounts'] {
  const sums = new Map<BoardStage['amounts'][number]['currency'], number>()
  for (const { type, amounts } of stages)
    if (type === 'open')
      for (const { currency, amount } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  return [...sums].map(([currency, amount]) => ({ currency, amount }))
}

/** The stages in which deals are open, and the others. */
export function splitStages(stages: readonly BoardStage[]): {
  readonly open: readonly BoardStage[]
  readonly ends: readonly BoardStage[]
} {
  return {
    open: stages.filter(({ type }) => type === 'open'),
    ends: stages.filter(({ type }) => type !== 'open'),
  }
}
