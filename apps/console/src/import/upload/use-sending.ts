import type { Import } from '@sales-crm/client'
import { useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { showError } from '../../ui/toasts.tsx'
import { useShownImport } from '../queries.ts'
import { useImportTexts } from '../texts/texts.ts'
import { startSending } from './uploads.ts'

/** Sends the file of an import, or the rest of it. The import shows how far it is. */
export function useSending(): (begun: Import, file: Blob) => void {
  const { crm, texts: shared } = useConsole()
  const { file: texts } = useImportTexts()
  const client = useQueryClient()
  const show = useShownImport()
  return (begun, file) => {
    const sending = startSending(begun, file, crm, show)
    show(begun)
    sending
      .catch((error: unknown) => showError(`${texts.notSent} ${explainError(error, shared)}`))
      .finally(() => client.invalidateQueries({ queryKey: ['imports'] }))
  }
}
