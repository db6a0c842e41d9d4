import { useConsole } from '../app/console-context.ts'
import type { Change } from '../cache/use-change.ts'
import { type ActionRecord, showEdits } from './edit-records.ts'
import type { CreatableKind } from './kinds.ts'
import { PendingEdit } from './pending-edit.ts'
import { type FieldEdit, updateRecord } from './use-record-update.ts'

/** Sends a call for each record. */
export type SendEach = (
  records: readonly { readonly id: string }[],
  send: (id: string) => Promise<unknown>,
) => Promise<void>

export interface RecordEdits<Row> {
  readonly to: FieldEdit
  /** Returns the edit that takes it back. */
  readonly from: (before: Row) => FieldEdit
  /** Called after each record that was changed. */
  readonly onUpdated?: ((id: string) => Promise<unknown>) | undefined
}

export type UndoableChange = Change & Required<Pick<Change, 'undo'>>

/** Builds changes that give the same fields to each record, and restore what each had before. */
export function useRecordEdits(kind: CreatableKind, sendEach: SendEach) {
  const { crm } = useConsole()

  function sendEdits(edits: readonly PendingEdit[], onUpdated?: (id: string) => Promise<unknown>): Change {
    const editsById = new Map(edits.map((edit) => [edit.id, edit]))
    return {
      send: () =>
        sendEach(edits, async (id) => {
          await editsById.get(id)?.send((changes) => updateRecord(crm, kind, id, changes))
          await onUpdated?.(id)
        }),
      show: (client) => showEdits(client, edits),
    }
  }
  return <Row extends ActionRecord>(
    records: readonly Row[],
    { to, from, onUpdated }: RecordEdits<Row>,
  ): UndoableChange => {
    const edits = records.map((record) => new PendingEdit(record, () => to))
    const restore = (edit: PendingEdit<Row>) =>
      new PendingEdit({ ...edit.before, ...to.shown }, () => from(edit.before))
    return { ...sendEdits(edits, onUpdated), undo: () => sendEdits(edits.map(restore)) }
  }
}
