import { isAdmin, useConsole } from '../app/console-context.ts'
import { useChange } from '../cache/use-change.ts'
import { showDone, showReason } from '../ui/toasts.tsx'
import { useWorkspace } from './use-workspace.ts'

/** The example records of the workspace; undefined for members, who can neither add nor remove them. */
export function useExamples() {
  const { crm, me, texts } = useConsole()
  const { data: workspace } = useWorkspace()
  const change = useChange()
  if (!isAdmin(me)) return undefined
  const words = texts.examples
  return {
    areThere: (workspace?.examples ?? 0) > 0,
    add: () => change({ send: () => crm.workspace.examples.create(), done: words.added }),
    remove: () =>
      change({
        send: () => crm.workspace.examples.remove(),
        onDone({ removed, kept }) {
          const names = kept.map(({ name }) => name).join(', ')
          if (kept.length > 0) showReason(words.removedExcept(removed, names))
          else showDone(words.removed(removed))
        },
      }),
  }
}
