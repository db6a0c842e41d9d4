import {
  type CompanyChanges,
  CrmApiError,
  type CrmClient,
  type DealChanges,
  type PersonChanges,
  type ProductChanges,
  type TaskChanges,
} from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { type Change, useChange } from '../cache/use-change.ts'
import { showFault } from '../ui/toasts.tsx'
import { patchRecord } from './edit-records.ts'
import type { CreatableKind } from './kinds.ts'

export type RecordChanges = PersonChanges | CompanyChanges | DealChanges | ProductChanges | TaskChanges

/** What the API gets, and what the fields of the record become. */
export interface FieldEdit {
  readonly changes: RecordChanges
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
  readonly onFault?: (error: unknown) => void
}

export function updateRecord(
  crm: CrmClient,
  kind: CreatableKind,
  id: string,
  changes: RecordChanges,
): Promise<unknown> {
  if (kind === 'people') return crm.people.update(id, changes as PersonChanges)
  if (kind === 'companies') return crm.companies.update(id, changes as CompanyChanges)
  if (kind === 'tasks') return crm.tasks.update(id, changes as TaskChanges)
  if (kind === 'products') return crm.products.update(id, changes as ProductChanges)
  return crm.deals.update(id, changes as DealChanges)
}

/** Changes fields of a record. The change shows at once, and can be undone. */
export function useRecordUpdate(): (update: RecordUpdate) => void {
  const { crm, texts } = useConsole()
  const change = useChange()
  return ({ kind, id, label, to, from, onFault }) => {
    const edit = ({ changes, shown }: FieldEdit): Change => ({
      ids: [id],
      send: (call) => call(id, () => updateRecord(crm, kind, id, changes)),
      patchOf: () => patchRecord(id, shown),
    })
    /** The page of a deleted record shows nothing of what was typed. */
    const showRefusal = (error: unknown): void => {
      if (error instanceof CrmApiError && error.status === 404)
        showFault(texts.faults.deletedElsewhere(label, listTexts(to.changes)))
      else if (onFault) onFault(error)
      else showFault(texts.faults.notSaved(explainError(error, texts)))
    }
    change({ ...edit(to), done: texts.record.saved(label), undo: () => edit(from), onFault: showRefusal })
  }
}

function listTexts(changes: RecordChanges): string {
  return Object.values(changes)
    .filter((value) => typeof value === 'string')
    .join(', ')
}
