import type { Board, CustomFieldValue, DealListItem, StageReference } from '@sales-crm/client'
import { mapRecords } from '../cache/map-records.ts'
import type { Patch } from '../cache/pending-patches.ts'
import { moveOnBoard } from '../deals/move-on-board.ts'

/** A record that an action changes: a row of a list, a card, or the record of a page. */
export interface ActionRecord {
  readonly id: string
  readonly name?: string
  readonly full_name?: string
  readonly owner?: { readonly id: string; readonly name: string; readonly email: string } | null
  readonly pipeline?: { readonly id: string } | null
  readonly stage?: StageReference | null
  readonly custom_fields?: readonly CustomFieldValue[]
}

/** A selection, which stays as it is when its records are changed. */
export interface SelectedRecords {
  /** Keeps the new values of a record, for the next change of it. */
  merge(id: string, fields: object): void
  /** Selects deleted records no longer. */
  drop(ids: readonly string[]): void
}

export interface RecordEdit {
  readonly id: string
  readonly before: ActionRecord
  /** What its fields become. */
  readonly shown: object
}

/** Shows new values of a record wherever it is. */
export function patchRecord(id: string, shown: object): Patch {
  return (data) => mapRecords(data, id, (each) => ({ ...each, ...shown }))
}

/** Shows an edit wherever the record is. A deal of another stage moves on its board. */
export function patchEdit(edit: RecordEdit): Patch {
  const at = new Date().toISOString()
  return (data, queryKey) => {
    // They depend on the answers to earlier edits.
    const { id, before, shown } = edit
    const [kind, view] = queryKey
    const isMove = kind === 'pipelines' && view === 'board' && 'stage' in shown
    if (!isMove) return patchRecord(id, shown)(data, queryKey)
    return moveOnBoard(data as Board, before as DealListItem, (shown.stage as StageReference).id, at)
  }
}
