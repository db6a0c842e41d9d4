import { useConsole } from '../app/console-context.ts'
import { mapRecords } from '../cache/map-records.ts'
import type { Patch } from '../cache/pending-patches.ts'
import type { Change } from '../cache/use-change.ts'
import type { ActionRecord } from './edit-records.ts'
import type { Kind } from './kinds.ts'
import type { RecordsRun } from './use-records-run.ts'

export interface LabelEdit {
  readonly field: 'tags' | 'lists'
  readonly label: Label
  /** False to take it away. */
  readonly isWanted: boolean
}

/** Adds a label to records, or takes it away. Undo changes only the records that this has changed. */
export function useLabelChange({ run, sendEach }: RecordsRun, kind: Kind) {
  const { crm, texts } = useConsole()

  /** @returns false if there is nothing to change */
  async function send(id: string, { field, label, isWanted }: LabelEdit): Promise<boolean> {
    const labels: readonly Label[] = (await crm[kind].get(id))[field]
    if (labels.some((each) => each.id === label.id) === isWanted) return false
    await crm[kind].changeMemberships(id, { [`${isWanted ? 'add' : 'remove'}_${field}`]: [label.id] })
    return true
  }
  /** @param unchanged records that were so before */
  function buildChange(
    ids: readonly string[],
    edit: LabelEdit,
    unchanged: ReadonlySet<string> = new Set(),
  ): Change {
    const same = new Set<string>()
    return {
      ids,
      send: (call) =>
        sendEach(ids, call, async (id) => {
          if (unchanged.has(id) || !(await send(id, edit))) same.add(id)
        }),
      patchOf: (id) => (data, queryKey) => (unchanged.has(id) ? data : patchLabel(id, edit)(data, queryKey)),
      done: texts.tables.changed(ids.length),
      undo: () => buildChange(ids, { ...edit, isWanted: !edit.isWanted }, same),
    }
  }
  return (records: readonly ActionRecord[], edit: LabelEdit): void =>
    run(
      records,
      buildChange(
        records.map(({ id }) => id),
        edit,
      ),
    )
}

function patchLabel(id: string, { field, label, isWanted }: LabelEdit): Patch {
  return (data) =>
    mapRecords(data, id, (record) => {
      const labels = (record as { readonly [name: string]: unknown })[field]
      return Array.isArray(labels) ? { ...record, [field]: withLabel(labels, label, isWanted) } : record
    })
}

/** A tag or a list. */
export interface Label {
  readonly id: string
  readonly name: string
}

/** The labels with one added at the end, or taken away. */
export function withLabel(labels: readonly Label[], label: Label, isWanted: boolean): readonly Label[] {
  return [...labels.filter(({ id }) => id !== label.id), ...(isWanted ? [label] : [])]
}
