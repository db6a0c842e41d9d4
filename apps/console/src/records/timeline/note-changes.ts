import type { ActivityListItem } from '@sales-crm/client'
import { useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { deleteLater } from '../../cache/delayed-deletions.ts'
import { explainError } from '../../cache/explain-error.ts'
import { mapRecords } from '../../cache/map-records.ts'
import { announceUndoable } from '../../cache/undo.ts'
import { type Change, useChange } from '../../cache/use-change.ts'
import { showError } from '../../ui/toasts.tsx'

/** The changes of a note that was written before. */
export function useNoteChanges({ id, content_html: before }: ActivityListItem) {
  const { crm, texts } = useConsole()
  const client = useQueryClient()
  const change = useChange()

  const rewrite = (content_html: string): Change => ({
    ids: [id],
    send: (call) => call(id, () => crm.activities.update(id, { content_html })),
    patchOf: () => (data) => mapRecords(data, id, (record) => ({ ...record, content_html })),
  })

  return {
    save: (content_html: string): void =>
      change({ ...rewrite(content_html), done: texts.record.noteSaved, undo: () => rewrite(before) }),
    remove(): void {
      let retract = () => {}
      const takeBack = deleteLater(client, {
        id,
        send: (isLast) => crm.activities.delete(id, { keepalive: isLast }),
        onSent: () => retract(),
        onError: (error) => showError(texts.errors.notSaved(explainError(error, texts))),
      })
      retract = announceUndoable(texts.record.noteDeleted, texts.actions.undo, takeBack)
    },
  }
}
