import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { closeToast, showDone, showError } from '../ui/toasts.tsx'
import { explainError, PartialFailure } from './explain-error.ts'
import { otherTabs } from './other-tabs.ts'
import { type Patch, type PendingPatch, pendingPatches } from './pending-patches.ts'
import { refreshQueries } from './query-client.ts'
import { type CallInTurn, type ChangeTurns, RecordTurns } from './record-turns.ts'
import { announceUndoable, clearUndo } from './undo.ts'

export interface Change<Result = unknown> {
  /** Ids of what it changes. */
  readonly ids?: readonly string[]
  /** Sends the change: the calls for its ids in their turns. */
  readonly send: (call: CallInTurn) => Promise<Result>
  /** Shows what becomes of an id before the service has confirmed it. */
  readonly patchOf?: ((id: string) => Patch) | undefined
  /** The toast after it. Without one, the view shows that it is done. */
  readonly done?: string | undefined
  /** The change that takes it back. */
  readonly undo?: (() => Change) | undefined
  /** Added to the error: where the record is again. */
  readonly after?: string | undefined
  /** Called instead of a toast, for errors that a form shows. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly onDone?: ((result: Result) => void) | undefined
}

/** A change that was made, until the service has answered it. */
interface PendingChange extends Change {
  readonly turns: ChangeTurns
  readonly patches: ReadonlyMap<string, PendingPatch>
  /** Takes back what was said about it. */
  readonly retract: (() => void) | undefined
}

const turns = new RecordTurns()

/**
 * Makes changes that show at once and can be undone. Those of one record are sent one after the other. What the service
 * refuses is taken away again, and what else was changed stays.
 */
export function useChange(): <Result>(change: Change<Result>) => void {
  const client = useQueryClient()
  const { texts } = useConsole()
  const tabs = otherTabs()
  const { mutate } = useMutation<unknown, unknown, PendingChange>({
    mutationFn: ({ send, turns }) => send(turns.call).finally(turns.end),
    onError: (error, { patches, retract, onError, after }) => {
      settlePatches(patches, (id) => error instanceof PartialFailure && !error.errors.has(id))
      retract?.()
      if (onError) return onError(error)
      showError([texts.errors.notSaved(explainError(error, texts)), after].filter(Boolean).join(' '))
    },
    onSuccess: (result, { patches, onDone }) => {
      settlePatches(patches, () => true)
      onDone?.(result)
      tabs?.announceChange()
    },
    onSettled: () => refreshQueries(client),
  })

  function makeChange(change: Change, takesBack = false): void {
    mutate({
      ...change,
      turns: turns.take(change.ids ?? []),
      patches: showPatches(client, change),
      // The view shows that a change was taken back, and nothing does it again.
      retract: takesBack ? undefined : announceChange(change),
    })
  }

  /** Says what was done, and how it is taken back. Returns what retracts it. */
  function announceChange({ done, undo }: Change): (() => void) | undefined {
    if (undo) return announceUndoable(done, texts.actions.undo, () => makeChange(undo(), true))
    clearUndo()
    if (done === undefined) return undefined
    const toast = showDone(done)
    return () => closeToast(toast)
  }

  return (change) => makeChange(change as Change)
}

function showPatches(client: QueryClient, { ids = [], patchOf }: Change): ReadonlyMap<string, PendingPatch> {
  if (!patchOf) return new Map()
  return new Map(ids.map((id) => [id, pendingPatches(client).show(patchOf(id))]))
}

function settlePatches(
  patches: ReadonlyMap<string, PendingPatch>,
  isConfirmed: (id: string) => boolean,
): void {
  for (const [id, patch] of patches)
    if (isConfirmed(id)) patch.confirm()
    else patch.drop()
}
