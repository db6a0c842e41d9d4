import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { closeToast, showDone, showFault } from '../ui/toasts.tsx'
import { explainError } from './explain-error.ts'
import type { Rollback } from './optimistic-change.ts'
import { otherTabs } from './tabs-context.ts'
import { clearUndo, setUndo, undoLast } from './undo.ts'

export interface Change<Result = unknown> {
  /** Sends the change. */
  readonly send: () => Promise<Result>
  /** Shows the change before the service has confirmed it. */
  readonly show?: ((client: QueryClient) => Promise<Rollback>) | undefined
  /** The toast after it. Without one, the view shows that it is done. */
  readonly done?: string | undefined
  /** The change that takes it back. */
  readonly undo?: (() => Change) | undefined
  /** Added to the fault: where the record is again. */
  readonly after?: string | undefined
  /** Called instead of a toast, for faults that a form shows. */
  readonly onFault?: ((error: unknown) => void) | undefined
  readonly onDone?: ((result: Result) => void) | undefined
}

/** Makes changes that show at once, can be undone, and are put back if the service refuses them. */
export function useChange(): <Result>(change: Change<Result>) => void {
  const client = useQueryClient()
  const { texts } = useConsole()
  const tabs = otherTabs()
  const { mutate } = useMutation<unknown, unknown, Change, Rollback>({
    scope: { id: 'changes' },
    onMutate: async ({ show, done, undo }) => {
      const rollback = await show?.(client)
      const toast =
        done && showDone(done, undo && { label: texts.actions.undo, shortcut: 'Z', run: undoLast })
      const takeBack =
        undo &&
        (() => {
          if (toast) closeToast(toast)
          mutate(undo())
        })
      setUndo(takeBack)
      return () => {
        rollback?.()
        if (toast) closeToast(toast)
        clearUndo(takeBack)
      }
    },
    mutationFn: ({ send }) => send(),
    onError: (error, { onFault, after }, takeDown) => {
      takeDown?.()
      if (onFault) return onFault(error)
      showFault([texts.faults.notSaved(explainError(error, texts)), after].filter(Boolean).join(' '))
    },
    onSuccess: (result, { onDone }) => {
      onDone?.(result)
      tabs?.announceChange()
    },
    onSettled: () => {
      // While another change is sent, its view is not replaced by what the service held before.
      if (client.isMutating() === 1) void client.invalidateQueries()
    },
  })
  return mutate as <Result>(change: Change<Result>) => void
}
