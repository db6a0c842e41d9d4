import { CrmApiError, type CrmClient, type Import } from '@sales-crm/client'
import { sendFile } from './send-file.ts'

/** Time for a part on a slow connection. */
const TIMEOUT_MS = 600_000

/** The uploads of this tab, which go on while other pages are shown. */
const uploads = new Map<string, AbortController>()

export function isSending(id: string): boolean {
  return uploads.has(id)
}

/** Ends the upload of an import that is discarded. */
export function stopSending(id: string): void {
  uploads.get(id)?.abort()
}

/** Sends a file in the background. Does nothing while it is being sent. */
export async function startSending(
  begun: Import,
  file: Blob,
  { imports }: Pick<CrmClient, 'imports'>,
  show: (current: Import) => void,
): Promise<void> {
  if (uploads.has(begun.id)) return
  const controller = new AbortController()
  uploads.set(begun.id, controller)
  const calls = {
    get: (id: string) => imports.get(id),
    upload: (id: string, offset: number, part: Blob) =>
      imports.uploadPart(id, offset, part, { timeoutMs: TIMEOUT_MS, signal: controller.signal }),
    wait: (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  }
  try {
    await sendFile(begun, file, calls, show, controller.signal)
  } catch (error) {
    // A discarded import is gone: there is nothing to say about it.
    const isGone = error instanceof CrmApiError && error.status === 404
    if (!controller.signal.aborted && !isGone) throw error
  } finally {
    uploads.delete(begun.id)
  }
}
