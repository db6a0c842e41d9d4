import { CrmApiError } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { type Change, useChange } from '../cache/use-change.ts'
import { showError } from '../ui/toasts.tsx'
import { patchRecord } from './edit-records.ts'
import type { CreatableKind } from './kinds.ts'
import { updateRecord } from './write-record.ts'

/** What the API gets, and what the fields of the record become. */
export interface FieldEdit {
  readonly changes: object
  readonly shown: object
}

interface RecordUpdate {
  readonly kind: CreatableKind
  readonly id: string
  /** Name of the changed field, for the toast. */
  readonly label: string
  readonly to: FieldEdit
  /** The edit that takes it back. */
  readonly from: FieldEdit
  /** Shows a refusal at the field. Without it, a toast says it. */
  readonly onError?: (error: unknown) => void
}

/** Changes fields of a record. The change shows at once, and can be undone. */
export function useRecordUpdate(): (update: RecordUpdate) => void {
  const { crm, texts } = useConsole()
  const change = useChange()
  return ({ kind, id, label, to, from, onError }) => {
    const edit = ({ changes, shown }: FieldEdit): Change => ({
      ids: [id],
      send: (call) => call(id, () => updateRecord(crm, kind, id, changes)),
      patchOf: () => patchRecord(id, shown),
    })
    /** The page of a deleted record shows nothing of what was typed. */
    const showRefusal = (error: unknown): void => {
      if (error instanceof CrmApiError && error.status === 404)
        showError(texts.errors.deletedElsewhere(label, listTexts(to.changes)))
      else if (onError) onError(error)
      else showError(texts.errors.notSaved(explainError(error, texts)))
    }
    change({ ...edit(to), done: texts.record.saved(label), undo: () => edit(from), onError: showRefusal })
  }
}

function listTexts(changes: object): string {
  return Object.values(changes)
    .filter((value) => typeof value === 'string')
    .join(', ')
}
