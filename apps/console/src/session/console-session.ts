import { CrmApiError, CrmConnectionError } from '@sales-crm/client'

export interface SessionWorkspace {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly role: 'owner' | 'admin' | 'member'
}

interface TokenResponse {
  readonly data: {
    readonly access_token: string
    readonly expires_in: number
    readonly user_id: string
    readonly workspace: SessionWorkspace
  }
}

/** A token is replaced this long before it expires. */
const MARGIN_MS = 30_000

/** Exchanges the session cookie for access tokens of one workspace, which stay in memory. */
export class ConsoleSession {
  readonly #basePath: string
  readonly #onEnd: () => void
  #workspaceId: string | undefined
  /** The user who opened the workspace. */
  #userId: string | undefined
  #token: string | undefined
  #expiresAtMs = 0
  #request: Promise<SessionWorkspace> | undefined

  /**
   * @param onEnd called when the session has ended, or is that of another user: nothing can be sent until the page is
   * loaded again
   */
  constructor(basePath: string, onEnd: () => void) {
    this.#basePath = basePath
    this.#onEnd = onEnd
  }

  /** Opens a workspace, the first of the member by default. @throws CrmApiError `not_found` */
  async open(workspaceId?: string): Promise<SessionWorkspace> {
    this.#workspaceId = workspaceId
    this.#token = undefined
    const workspace = await this.#requestToken()
    this.#workspaceId = workspace.id
    return workspace
  }

  /** The option `token` of the client. */
  readonly getToken = async (): Promise<string> => {
    if (this.#token === undefined || Date.now() > this.#expiresAtMs - MARGIN_MS) await this.#requestToken()
    return this.#token ?? ''
  }

  /** Asks whether the session goes on: it may have ended in another tab. */
  async check(): Promise<void> {
    await this.#requestToken()
  }

  /** The option `fetch` of the client: forgets a token that the service rejected. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (response.status === 401) this.#token = undefined
    return response
  }

  /** Concurrent calls share one request. */
  #requestToken(): Promise<SessionWorkspace> {
    this.#request ??= this.#fetchToken().finally(() => {
      this.#request = undefined
    })
    return this.#request
  }

  async #fetchToken(): Promise<SessionWorkspace> {
    const response = await this.#postForToken()
    if (response.status === 401) this.#onEnd()
    if (!response.ok) throw await toError(response)
    const { data } = (await response.json()) as TokenResponse
    this.#userId ??= data.user_id
    if (data.user_id !== this.#userId) {
      this.#onEnd()
      throw new CrmApiError('Another user has signed in.', { status: 401, code: 'unauthorized' })
    }
    this.#token = data.access_token
    this.#expiresAtMs = Date.now() + data.expires_in * 1000
    return data.workspace
  }

  /** @throws CrmConnectionError, after which the client tries its call again */
  async #postForToken(): Promise<Response> {
    try {
      return await fetch(`${this.#basePath}/session/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(this.#workspaceId === undefined ? {} : { workspace_id: this.#workspaceId }),
      })
    } catch (cause) {
      throw new CrmConnectionError('No response to /session/token.', { cause })
    }
  }
}

/** The error of a response, as the client makes it. */
export async function toError(response: Response): Promise<CrmApiError> {
  const body = (await response.json().catch(() => undefined)) as
    | { readonly error?: { readonly code?: CrmApiError['code']; readonly message?: string } }
    | undefined
  const { code, message = `Status ${response.status}` } = body?.error ?? {}
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return new CrmApiError(message, {
    status: response.status,
    code,
    requestId: response.headers.get('X-Request-ID') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}
