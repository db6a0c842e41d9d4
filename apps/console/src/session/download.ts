import { CrmConnectionError } from '@sales-crm/client'
import { type ConsoleSession, toError } from './console-session.ts'
import { BASE_PATH } from './page-settings.ts'

/** Reads a file of the API, by its path below `/v1/`. @throws CrmApiError, CrmConnectionError */
export type Download = (path: string) => Promise<Blob>

export function createDownload(session: ConsoleSession): Download {
  return async (path) => {
    const token = await session.getToken()
    const response = await session
      .fetch(`${BASE_PATH}/v1/${path}`, { headers: { Authorization: `Bearer ${token}` } })
      .catch((cause: unknown) => {
        throw new CrmConnectionError(`No response to /v1/${path}.`, { cause })
      })
    if (!response.ok) throw await toError(response)
    return response.blob()
  }
}
