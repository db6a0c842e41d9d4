import { mapRecords } from '../../cache/map-records.ts'
import { changeCache } from '../../cache/optimistic-change.ts'
import { type Change, useChange } from '../../cache/use-change.ts'
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
      send: () => kind.update(label.id, changes),
      show: (client) =>
        changeCache(client, (data) =>
          mapRecords(data, label.id, (record) => ({ ...record, ...kind.toFields(changes) })),
        ),
      done: settings.changed(changes.name ?? label.name),
      undo: () => buildChange({ ...label, ...changes }, invertChanges(label, changes)),
      onFault,
    }
  }

  return (label, changes, onFault) => change(buildChange(label, changes, onFault))
}
