import type { Board, Deal, DealListItem, StageReference } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { mapRecords } from '../cache/map-records.ts'
import { changeCache } from '../cache/optimistic-change.ts'
import { type Change, useChange } from '../cache/use-change.ts'
import { buildNoteHtml } from '../records/composer/note-html.ts'
import { announce } from '../ui/live-region.tsx'
import { moveOnBoard } from './board/move-on-board.ts'

type AnyDeal = Pick<Deal | DealListItem, 'id' | 'name' | 'stage' | 'pipeline'>

export interface DealMoves {
  /** Moves a deal to a stage of its pipeline. */
  move(deal: AnyDeal, stage: StageReference): void
  /** Marks a deal as lost, with a note for its timeline if there is one. */
  lose(deal: AnyDeal, stage: StageReference, note: string): void
}

/** The moves of deals, on every page that shows them. */
export function useDealMoves(): DealMoves {
  const { crm, texts } = useConsole()
  const change = useChange()

  function moveChange(deal: AnyDeal, stage: StageReference, from: StageReference | null): Change {
    return {
      send: () => crm.deals.update(deal.id, { stage_id: stage.id }),
      show: (client) => {
        const at = new Date().toISOString()
        return changeCache(client, (data, [kind, view]) =>
          kind === 'pipelines' && view === 'board'
            ? moveOnBoard(data as Board, deal.id, stage.id, at)
            : mapRecords(data, deal.id, (record) => ('amount' in record ? { ...record, stage } : record)),
        )
      },
      done: texts.deals.moved(stage.name),
      ...(from && {
        undo: () => moveChange({ ...deal, stage }, from, null),
        after: texts.deals.isBack(from.name),
      }),
    }
  }

  return {
    move(deal, stage) {
      if (deal.stage?.id === stage.id) return
      announce(texts.deals.movedTo(deal.name, stage.name))
      change(moveChange(deal, stage, deal.stage))
    },
    lose(deal, stage, note) {
      change(moveChange(deal, stage, deal.stage))
      if (note.trim() === '') return
      change({
        send: () =>
          crm.activities.create({ entity: 'deals', entity_id: deal.id, content_html: buildNoteHtml(note) }),
      })
    },
  }
}
