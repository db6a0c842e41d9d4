import type { Tokens } from './api-types.ts'
import type { ClientCredentials } from './client-options.ts'

/** The access tokens of a client. */
export interface AccessTokens {
  /** Returns the token for an attempt. */
  get(): Promise<string>
  /** Called after the service rejected a token. Returns true if `get` then returns another one. */
  renew(rejected: string): Promise<boolean>
}

/** Access tokens of the host. A function may return a new one after a rejection, a string cannot. */
export function hostTokens(token: string | (() => string | Promise<string>)): AccessTokens {
  const get = async () => (typeof token === 'string' ? token : token())
  return { get, renew: async (rejected) => (await get()) !== rejected }
}

/** Exchanges a refresh token for new tokens. */
export type RefreshTokens = (refreshToken: string) => Promise<Tokens>

/**
 * Access tokens that are refreshed with a refresh token, before they expire or after they were rejected.
 * Concurrent callers share one refresh, because each refresh token is valid once.
 */
export class RefreshedTokens implements AccessTokens {
  readonly #refreshTokens: RefreshTokens
  readonly #onTokens: ClientCredentials['onTokens']
  readonly #now: () => number
  #refreshToken: string
  #accessToken: string | undefined
  #expiresAtMs = Number.POSITIVE_INFINITY
  #refresh: Promise<string> | undefined
  /** Tokens that `onTokens` has not stored yet. */
  #unsaved: Tokens | undefined

  constructor(credentials: ClientCredentials, refreshTokens: RefreshTokens, now: () => number) {
    this.#refreshTokens = refreshTokens
    this.#onTokens = credentials.onTokens
    this.#now = now
    this.#refreshToken = credentials.refresh_token
    this.#accessToken = credentials.access_token
  }

  async get(): Promise<string> {
    if (this.#accessToken !== undefined && this.#now() < this.#expiresAtMs) return this.#accessToken
    this.#refresh ??= this.#replaceTokens().finally(() => {
      this.#refresh = undefined
    })
    return this.#refresh
  }

  async renew(rejected: string): Promise<boolean> {
    if (this.#accessToken === rejected) this.#accessToken = undefined
    return (await this.get()) !== rejected
  }

  async #replaceTokens(): Promise<string> {
    if (!this.#unsaved) {
      this.#unsaved = await this.#refreshTokens(this.#refreshToken)
      this.#refreshToken = this.#unsaved.refresh_token
      this.#expiresAtMs = this.#now() + usableMs(this.#unsaved)
    }
    await this.#onTokens?.({ ...this.#unsaved })
    this.#accessToken = this.#unsaved.access_token
    this.#unsaved = undefined
    return this.#accessToken
  }
}

/** Refreshes when a twentieth of the lifetime is left. Without a lifetime, a rejection starts the refresh. */
function usableMs({ expires_in }: Tokens): number {
  return expires_in > 0 ? expires_in * 950 : Number.POSITIVE_INFINITY
}
