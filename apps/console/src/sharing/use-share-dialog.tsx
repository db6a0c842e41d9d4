import type { RuledKind } from '@sales-crm/core/browser'
import { lazy } from 'preact/compat'
import type { OwnedRecord } from '../app/permissions.ts'
import { useShell } from '../shell/shell-context.ts'

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }))

/** Opens the dialog that says who sees a record, and shares it. */
export function useShareDialog(kind: RuledKind): (record: OwnedRecord, name: string) => void {
  const { show } = useShell()
  return (record, name) =>
    show((close) => <ShareDialog kind={kind} record={record} name={name} close={close} />)
}
