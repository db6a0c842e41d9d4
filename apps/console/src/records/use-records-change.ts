import type { CustomField, Owner, StageReference } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { removeRecords } from '../cache/map-records.ts'
import { useShell } from '../shell/shell-context.ts'
import { announce } from '../ui/live-region.tsx'
import type { ActionRecord, SelectedRecords } from './edit-records.ts'
import { type CustomValue, editCustomValue, findCustomValue } from './facts/custom-values.ts'
import { type CreatableKind, type Kind, recordName } from './kinds.ts'
import { useLabelChange } from './use-label-change.ts'
import type { FieldEdit } from './use-record-update.ts'
import { type RecordsRun, useRecordsRun } from './use-records-run.ts'

type Records = readonly ActionRecord[]

/** Changes one record or many. A change shows at once, and all but deletions can be undone. */
export function useRecordsChange(kind: CreatableKind, selection?: SelectedRecords) {
  const run = useRecordsRun(kind, selection)
  return {
    progress: run.progress,
    setOwner: useOwnerChange(run),
    setFields: useFieldsChange(run),
    setCustomValue: useCustomValueChange(run),
    setLabel: useLabelChange(run, kind as Kind),
    move: useDealMoves(run),
    remove: useRemoval(run, kind),
  }
}

function useOwnerChange({ run, editEach }: RecordsRun) {
  const { texts } = useConsole()
  const edit = (owner: Owner | null): FieldEdit => ({
    changes: { owner_user_id: owner?.id ?? null },
    shown: { owner },
  })
  return (records: Records, owner: Owner | null): void => {
    if (records.length === 0) return
    run(records, {
      ...editEach(records, { to: () => edit(owner), from: (before) => edit(before.owner ?? null) }),
      done: texts.tables.changed(records.length),
    })
  }
}

/** Changes fields that the API gets as it returns them. */
function useFieldsChange({ run, editEach }: RecordsRun) {
  const { texts } = useConsole()
  const edit = (fields: object): FieldEdit => ({ changes: fields, shown: fields })
  return <Row extends ActionRecord>(rows: readonly Row[], fields: Partial<Row>): void => {
    const names = Object.keys(fields) as (keyof Row)[]
    const fieldsOf = (row: Row): object => Object.fromEntries(names.map((name) => [name, row[name]]))
    run(rows, {
      ...editEach(rows, { to: () => edit(fields), from: (before) => edit(fieldsOf(before)) }),
      done: texts.tables.changed(rows.length),
    })
  }
}

function useCustomValueChange({ run, editEach }: RecordsRun) {
  const { texts } = useConsole()
  return (records: Records, field: CustomField, value: CustomValue | undefined): void => {
    run(records, {
      ...editEach(records, {
        to: ({ custom_fields = [] }) => editCustomValue(custom_fields, field, value),
        from: ({ custom_fields = [] }) =>
          editCustomValue(custom_fields, field, findCustomValue({ custom_fields }, field.key)),
      }),
      done: texts.tables.changed(records.length),
    })
  }
}

function useDealMoves({ run, editEach }: RecordsRun) {
  const { texts } = useConsole()
  const edit = (stage: StageReference): FieldEdit => ({ changes: { stage_id: stage.id }, shown: { stage } })
  /** Moves deals to a stage of their pipeline, with changes of their fields if there are any. */
  return (deals: Records, stage: StageReference, { changes, shown }: Partial<FieldEdit> = {}): void => {
    const [first] = deals
    if (!first?.stage) return
    const isOne = deals.length === 1
    if (isOne) announce(texts.deals.movedTo(recordName(first), stage.name))
    const to = edit(stage)
    run(deals, {
      ...editEach(deals, {
        to: () => ({ changes: { ...changes, ...to.changes }, shown: { ...shown, ...to.shown } }),
        from: (before) => edit(before.stage ?? stage),
      }),
      done: isOne ? texts.deals.moved(stage.name) : texts.deals.movedMany(deals.length, stage.name),
      after: isOne ? texts.deals.isBack(first.stage.name) : undefined,
    })
  }
}

function useRemoval({ run, sendEach, drop }: RecordsRun, kind: CreatableKind) {
  const { crm, texts } = useConsole()
  const { confirmDeletion } = useShell()
  function remove(records: Records, onRemoved?: () => void): void {
    const [first] = records
    if (!first) return
    const ids = records.map(({ id }) => id)
    run(records, {
      ids,
      send: (call) =>
        sendEach(ids, call, async (id) => {
          await crm[kind].delete(id)
          drop([id])
        }),
      ...(!onRemoved && { patchOf: (id) => (data) => removeRecords(data, id) }),
      done:
        records.length === 1 ? texts.record.deleted(recordName(first)) : texts.tables.deleted(records.length),
      onDone: () => onRemoved?.(),
    })
  }
  /**
   * Deletes records, after it was confirmed.
   * @param onRemoved leaves the page of the record
   */
  return (records: Records, onRemoved?: () => void): void =>
    confirmDeletion(kind, records, () => remove(records, onRemoved))
}
