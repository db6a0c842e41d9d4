import { useConsole } from '../app/console-context.ts'
import type { CallInTurn } from '../cache/record-turns.ts'
import type { Change } from '../cache/use-change.ts'
import { type ActionRecord, patchEdit, type SelectedRecords } from './edit-records.ts'
import type { CreatableKind } from './kinds.ts'
import { PendingEdit } from './pending-edit.ts'
import type { FieldEdit } from './use-record-update.ts'
import { updateRecord } from './write-record.ts'

/** Sends a call for each record, in its turn. */
export type SendEach = (
  ids: readonly string[],
  call: CallInTurn,
  send: (id: string) => Promise<unknown>,
) => Promise<void>

export interface RecordEdits<Row> {
  /** Returns the edit of a record as it is before. */
  readonly to: (before: Row) => FieldEdit
  /** Returns the edit that takes it back. */
  readonly from: (before: Row) => FieldEdit
}

export type UndoableChange = Change & Required<Pick<Change, 'undo'>>

/** Builds changes that give the same fields to each record, and restore what each had before. */
export function useRecordEdits(
  kind: CreatableKind,
  sendEach: SendEach,
  selection?: Pick<SelectedRecords, 'merge'>,
) {
  const { crm } = useConsole()

  function sendEdits(edits: readonly PendingEdit[]): Change {
    const editsById = new Map(edits.map((edit) => [edit.id, edit]))
    const ids = [...editsById.keys()]
    return {
      ids,
      send: (call) =>
        sendEach(ids, call, async (id) => {
          const edit = editsById.get(id)
          await edit?.send((changes) => updateRecord(crm, kind, id, changes))
          if (edit) selection?.merge(id, edit.shown)
        }),
      patchOf: (id) => {
        const edit = editsById.get(id)
        return edit ? patchEdit(edit) : (data) => data
      },
    }
  }
  return <Row extends ActionRecord>(
    records: readonly Row[],
    { to, from }: RecordEdits<Row>,
  ): UndoableChange => {
    const edits = records.map((record) => {
      const edit: PendingEdit<Row> = new PendingEdit(record, () => to(edit.before))
      return edit
    })
    const restore = (edit: PendingEdit<Row>) =>
      new PendingEdit({ ...edit.before, ...edit.shown }, () => from(edit.before))
    return { ...sendEdits(edits), undo: () => sendEdits(edits.map(restore)) }
  }
}
