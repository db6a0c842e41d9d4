import { type Change, useChange } from '../../cache/use-change.ts'
import { patchRecord } from '../../records/edit-records.ts'
import { useSettingsTexts } from '../texts.ts'
import { invertChanges, type Label, type LabelChanges, type LabelKind } from './label.ts'

/** Changes a label, shown at once wherever it is. */
export function useLabelUpdate(
  kind: LabelKind,
): (label: Label, changes: LabelChanges, onFault?: (error: unknown) => void) => void {
  const settings = useSettingsTexts()
  const change = useChange()

  function buildChange(label: Label, changes: LabelChanges, onFault?: (error: unknown) => void): Change {
    return {
      ids: [label.id],
      send: (call) => call(label.id, () => kind.update(label.id, changes)),
      patchOf: (id) => patchRecord(id, kind.toFields(changes)),
      done: settings.changed(changes.name ?? label.name),
      undo: () => buildChange({ ...label, ...changes }, invertChanges(label, changes)),
      onFault,
    }
  }

  return (label, changes, onFault) => change(buildChange(label, changes, onFault))
}
