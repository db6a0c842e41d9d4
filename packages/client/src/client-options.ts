import type { Tokens } from './api-types.ts'
import { checkFunction, checkInteger, checkNames, checkToken } from './check.ts'

/** The longest delay of timers. */
export const MAX_TIMEOUT_MS = 2_147_483_647
const MAX_RETRIES = 100
/** A restart of the service takes less. */
const DEFAULT_OUTAGE_MS = 30_000

/** The options of `createClient`: `url`, and either `token` or `credentials`. */
export interface ClientOptions {
  /**
   * URL of the service, such as `https://crm.example` or `https://host.example/crm`: http or https, without a
   * user name, password, query and fragment. In a browser also a path of the page's own origin, such as `/crm`.
   * Requests go only to this origin, below this path.
   */
  readonly url: string | URL
  /** An access token, or a function that returns one. The function is called before each attempt. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** The credentials of an OAuth app. The client refreshes its access token with them. Not for browsers. */
  readonly credentials?: ClientCredentials | undefined
  /**
   * Sends the requests. Default: the global `fetch`. With a function of your own, `token` and `credentials` may be
   * left out: it then authenticates the requests, by a cookie for example.
   */
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds for each attempt, from 1 to 2147483647. Default: 30 000. */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first one, from 0 to 100. Default: 3. */
  readonly maxRetries?: number | undefined
  /**
   * Milliseconds for which a call that may be repeated is tried while the service cannot be reached, beyond
   * `maxRetries`. Default: 30 000, or 0 if `maxRetries` is 0.
   */
  readonly maxOutageMs?: number | undefined
  /** The same for calls that write. Default: `maxOutageMs`. */
  readonly maxWriteOutageMs?: number | undefined
}

/** Credentials for `POST /oauth/token` with `grant_type=refresh_token`. */
export interface ClientCredentials {
  /** The id of the app. */
  readonly client_id: string
  /** The secret of the app. It must stay on a server. */
  readonly client_secret: string
  /** The newest refresh token. Each is valid for one refresh, and for 60 days. */
  readonly refresh_token: string
  /** The access token that came with it. Default: the first call refreshes. */
  readonly access_token?: string | undefined
  /**
   * Stores the new tokens. The client waits for it before it uses the new access token. If it throws, the
   * calls that wait for the tokens reject with its error, and the next call runs it again with the same
   * tokens.
   */
  readonly onTokens?: ((tokens: Tokens) => void | Promise<void>) | undefined
}

/** Checked options with defaults. */
export interface ClientSettings {
  /** Without a trailing slash. */
  readonly url: string
  readonly auth: { readonly token: string | (() => string | Promise<string>) } | ClientCredentials | undefined
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly maxOutageMs: number
  readonly maxWriteOutageMs: number
}

const OPTION_NAMES = [
  'url',
  'token',
  'credentials',
  'fetch',
  'timeoutMs',
  'maxRetries',
  'maxOutageMs',
  'maxWriteOutageMs',
]
const CREDENTIAL_NAMES = ['client_id', 'client_secret', 'refresh_token', 'access_token', 'onTokens']

/** @throws TypeError naming the option and its rule. Values are not part of it: they may be secret. */
export function parseClientOptions(options: ClientOptions): ClientSettings {
  if (typeof options !== 'object' || options === null) throw new TypeError('The options must be an object.')
  checkNames(options, OPTION_NAMES)
  checkFunction('fetch', options.fetch)
  checkInteger('timeoutMs', options.timeoutMs, 1, MAX_TIMEOUT_MS)
  checkInteger('maxRetries', options.maxRetries, 0, MAX_RETRIES)
  checkInteger('maxOutageMs', options.maxOutageMs, 0, MAX_TIMEOUT_MS)
  checkInteger('maxWriteOutageMs', options.maxWriteOutageMs, 0, MAX_TIMEOUT_MS)
  const maxOutageMs = options.maxOutageMs ?? (options.maxRetries === 0 ? 0 : DEFAULT_OUTAGE_MS)
  return {
    url: parseUrl(options.url),
    auth: parseAuth(options),
    // Called without an object: browsers reject a `fetch` whose `this` is not the window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 3,
    maxOutageMs,
    maxWriteOutageMs: options.maxWriteOutageMs ?? maxOutageMs,
  }
}

function parseUrl(option: unknown): string {
  const text = String(option)
  const pageOrigin = text.startsWith('/') ? globalThis.location?.origin : undefined
  const url = URL.parse(text, pageOrigin)
  const isBase =
    (pageOrigin === undefined || url?.origin === pageOrigin) &&
    (url?.protocol === 'http:' || url?.protocol === 'https:') &&
    `${url.username}${url.password}` === '' &&
    !/[?#]/.test(text)
  if (!isBase)
    throw new TypeError('url must be an http or https URL without a user name, password, query and fragment.')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function parseAuth({ token, credentials, fetch }: ClientOptions): ClientSettings['auth'] {
  if (token === undefined && credentials === undefined && fetch !== undefined) return undefined
  if ((token === undefined) === (credentials === undefined))
    throw new TypeError(
      'Either token or credentials must be set, and not both. Undefined, such as an unset variable, is not set.',
    )
  if (credentials !== undefined) return parseCredentials(credentials)
  if (typeof token !== 'function') checkToken('token', token)
  return { token }
}

function parseCredentials(credentials: ClientCredentials): ClientCredentials {
  if (typeof credentials !== 'object' || credentials === null)
    throw new TypeError('credentials must be an object.')
  checkNames(credentials, CREDENTIAL_NAMES, 'credentials.')
  const { client_id, client_secret, refresh_token, access_token, onTokens } = credentials
  checkToken('credentials.client_id', client_id)
  checkToken('credentials.client_secret', client_secret)
  checkToken('credentials.refresh_token', refresh_token)
  if (access_token !== undefined) checkToken('credentials.access_token', access_token)
  checkFunction('credentials.onTokens', onTokens)
  return { ...credentials }
}
