import { defaultsFor } from '../create/create-defaults.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { useShell } from '../shell/shell-context.ts'
import type { ActionRecord } from './edit-records.ts'
import type { Kind } from './kinds.ts'
import type { RecordActions } from './use-record-actions.tsx'

/** The keys that act on the records at hand: those that are selected, or the one that has the focus. */
export function useRecordKeys(
  kind: Kind,
  actions: RecordActions,
  recordsNow: () => readonly ActionRecord[],
): void {
  const { openCreate } = useShell()
  const act = (run: (records: readonly ActionRecord[]) => void) => () => {
    const records = recordsNow()
    if (records.length > 0) run(records)
  }
  const onDeals = (run: (deals: readonly ActionRecord[]) => void) => (kind === 'deals' ? act(run) : () => {})
  useKeys({
    m: onDeals(actions.chooseStage),
    w: onDeals((deals) => actions.finish(deals, 'win')),
    'Shift+W': onDeals((deals) => actions.finish(deals, 'lost')),
    o: act(actions.chooseOwner),
    l: act(actions.chooseTag),
    t: () => {
      const record = onlyOne(recordsNow())
      if (record) actions.addTask(record)
      else openCreate('tasks')
    },
    s: () => {
      const record = onlyOne(recordsNow())
      if (record) actions.share(record)
    },
    d: () => {
      const record = onlyOne(recordsNow())
      if (record && kind !== 'deals') openCreate('deals', defaultsFor(kind, record))
    },
  })
}

function onlyOne(records: readonly ActionRecord[]): ActionRecord | undefined {
  return records.length === 1 ? records[0] : undefined
}
