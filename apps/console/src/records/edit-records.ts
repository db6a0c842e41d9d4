import type { Board, DealListItem, StageReference } from '@sales-crm/client'
import type { QueryClient } from '@tanstack/react-query'
import { mapRecords } from '../cache/map-records.ts'
import { changeCache, type Rollback } from '../cache/optimistic-change.ts'
import { moveOnBoard } from '../deals/move-on-board.ts'

/** A record that an action changes: a row of a list, a card, or the record of a page. */
export interface ActionRecord {
  readonly id: string
  readonly name?: string
  readonly full_name?: string
  readonly owner?: { readonly id: string; readonly name: string; readonly email: string } | null
  readonly pipeline?: { readonly id: string } | null
  readonly stage?: StageReference | null
}

export interface RecordEdit {
  readonly id: string
  readonly before: ActionRecord
  /** What its fields become. */
  readonly shown: object
}

/** Shows edits wherever the cache holds the records. A deal of another stage moves on its board. */
export function showEdits(client: QueryClient, edits: readonly RecordEdit[]): Promise<Rollback> {
  const at = new Date().toISOString()
  return changeCache(client, (data, [kind, view]) =>
    edits.reduce((changed, { id, before, shown }) => {
      const isMove = kind === 'pipelines' && view === 'board' && 'stage' in shown
      return isMove
        ? moveOnBoard(changed as Board, before as DealListItem, (shown.stage as StageReference).id, at)
        : mapRecords(changed, id, (each) => ({ ...each, ...shown }))
    }, data),
  )
}
