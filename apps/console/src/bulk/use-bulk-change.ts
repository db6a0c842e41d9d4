import type { BulkChange } from '@sales-crm/client'
import { useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { refreshQueries } from '../cache/query-client.ts'
import { announceUndoable, clearUndo } from '../cache/undo.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { closeToast, showDone, showError, showProgress, updateToast } from '../ui/toasts.tsx'
import { toBulkQuery } from './bulk-query.ts'

const [FIRST_WAIT_MS, MAX_WAIT_MS] = [300, 2000]
/** Names that a message lists. */
const MAX_NAMES = 3

/** Changes all records of a list, and takes that back. It goes on when the page is left. */
export function useBulkChange() {
  const { crm, texts } = useConsole()
  const client = useQueryClient()
  const { bulk } = texts

  /** Says how far the change is, until it has ended. */
  async function follow(begun: BulkChange): Promise<BulkChange> {
    let toast: string | undefined
    let now = begun
    for (let wait = FIRST_WAIT_MS; isGoingOn(now); wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      now = await crm.bulkChanges.get(begun.id)
      const text = describeProgress(now)
      if (toast !== undefined) updateToast(toast, text)
      else if (isGoingOn(now)) toast = showProgress(text, stopAction(now))
    }
    if (toast !== undefined) closeToast(toast)
    refreshQueries(client)
    return now
  }
  function describeProgress({ total, done, reversal }: BulkChange): string {
    return reversal ? bulk.takingBack(reversal.done, done) : bulk.changing(done, total)
  }
  const stopAction = ({ id, reversal }: BulkChange) =>
    reversal
      ? undefined
      : { label: bulk.stop, run: () => run(async () => void (await crm.bulkChanges.stop(id))) }

  async function explainFailures({ id, reversal, failed }: BulkChange): Promise<void> {
    const count = reversal ? reversal.failed : failed
    if (count === 0) return
    const step = reversal ? 'reversal' : 'change'
    // Those of the change come first.
    const page = reversal ? Math.floor(failed / MAX_NAMES) + 1 : 1
    const { data } = await crm.bulkChanges.failures(id, { page, per_page: MAX_NAMES })
    const failures = data.filter((each) => each.step === step)
    const names = failures.map(({ name }) => `“${name ?? bulk.unknown}”`)
    showError(texts.tables.failed(count, names.join(', '), failures[0]?.message ?? ''))
  }

  const isDeletion = ({ change }: BulkChange) => 'delete' in change

  async function revert({ id }: BulkChange): Promise<void> {
    const ended = await follow(await crm.bulkChanges.revert(id))
    if (ended.reversal) showDone(bulk.tookBack(ended.reversal.restored))
    await explainFailures(ended)
  }
  function announce(ended: BulkChange): void {
    const { changed } = ended
    if (isDeletion(ended)) {
      clearUndo()
      showDone(texts.tables.deleted(changed))
    } else if (changed === 0) showDone(bulk.nothing)
    else announceUndoable(texts.tables.changed(changed), texts.actions.undo, () => run(() => revert(ended)))
  }
  function run(work: () => Promise<void>): void {
    work().catch((error) => showError(texts.errors.notSaved(explainError(error, texts))))
  }
  return {
    /** @param query of the list */
    start: (kind: CreatableKind, query: object, change: object): void =>
      run(async () => {
        const input = { ...toBulkQuery(query), change }
        const ended = await follow(await crm[kind].startBulkChange(input as never))
        announce(ended)
        await explainFailures(ended)
      }),
    revert: (change: BulkChange): void => run(() => revert(change)),
  }
}

function isGoingOn({ state }: BulkChange): boolean {
  return state === 'running' || state === 'reverting'
}
