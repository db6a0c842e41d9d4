import { CrmApiError, CrmConnectionError, type Import } from '@sales-crm/client'

/** Below the limit of a part, so that the progress of a slow connection is seen. */
const PART_BYTES = 4 * 1_048_576
const PAUSE_MS = 2_000
/** Parts that fail one after the other while the service can be reached. */
const MAX_FAILURES = 5

export interface UploadCalls {
  readonly get: (id: string) => Promise<Import>
  readonly upload: (id: string, offset: number, part: Blob) => Promise<Import>
  readonly wait: (milliseconds: number) => Promise<unknown>
}

/**
 * Sends what is missing of a file in parts. After a lost connection it goes on where the file has arrived.
 * @param show called with the import after each part
 * @throws CrmApiError for what the service refuses, and the signal's reason
 */
export async function sendFile(
  begun: Import,
  file: Blob,
  { get, upload, wait }: UploadCalls,
  show: (current: Import) => void,
  signal?: AbortSignal,
): Promise<Import> {
  let current = begun
  let failures = 0
  let mustAsk = false
  while (current.state === 'uploading') {
    signal?.throwIfAborted()
    const { id, received } = current
    try {
      const next = mustAsk
        ? await get(id)
        : await upload(id, received, file.slice(received, received + PART_BYTES))
      if (!mustAsk || next.received > received) failures = 0
      mustAsk = false
      current = next
    } catch (error) {
      // Without a connection, it waits.
      failures += mustAsk && error instanceof CrmConnectionError ? 0 : 1
      if (!mayGoOn(error) || failures > MAX_FAILURES) throw error
      mustAsk = true
      await wait(PAUSE_MS)
      continue
    }
    show(current)
  }
  return current
}

/** True if the part may have arrived, or another tab sends the file too. */
function mayGoOn(error: unknown): boolean {
  if (error instanceof CrmConnectionError) return true
  return error instanceof CrmApiError && (error.status === 409 || error.status === 429 || error.status >= 500)
}
