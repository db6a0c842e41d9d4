import { useConsole } from '../../app/console-context.ts'
import { type Change, useChange } from '../../cache/use-change.ts'
import { patchRecord } from '../../records/edit-records.ts'
import { useSettingsTexts } from '../texts.ts'
import {
  invertChanges,
  type Label,
  type LabelChanges,
  type LabelKind,
  labelCalls,
  toFields,
} from './label.ts'

/** Changes a label, shown at once wherever it is. */
export function useLabelUpdate(
  kind: LabelKind,
): (label: Label, changes: LabelChanges, onError?: (error: unknown) => void) => void {
  const { crm } = useConsole()
  const settings = useSettingsTexts()
  const change = useChange()

  function buildChange(label: Label, changes: LabelChanges, onError?: (error: unknown) => void): Change {
    const fields = toFields(kind, changes)
    return {
      ids: [label.id],
      send: (call) => call(label.id, () => labelCalls(crm, kind).update(label.id, fields)),
      patchOf: (id) => patchRecord(id, fields),
      done: settings.changed(changes.name ?? label.name),
      undo: () => buildChange({ ...label, ...changes }, invertChanges(label, changes)),
      onError,
    }
  }

  return (label, changes, onError) => change(buildChange(label, changes, onError))
}
