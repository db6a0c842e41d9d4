import type { Ports } from '@sales-crm/core/ports'
import { systemClock } from './clock.ts'
import { newId, random } from './crypto/ids.ts'
import { jwtTokens } from './crypto/jwt.ts'
import { passwords } from './crypto/passwords.ts'
import { SECRET_KEY_BYTES } from './crypto/secret-key.ts'
import { secrets } from './crypto/secrets.ts'
import { nodeFiles } from './files/files.ts'
import { OfferPrinter } from './offers/offer-printer.ts'
import { addressPolicy, type OutboundOptions } from './outbound-http/address-policy.ts'
import { documentFetcher } from './outbound-http/document-fetcher.ts'
import type { FetchUrl } from './outbound-http/fetch-public-url.ts'
import { parseOutboundUrl } from './outbound-http/outbound-url.ts'
import { parsePhone } from './parse-phone.ts'
import { threadedTables } from './tables/threaded-tables.ts'
import { sanitizeHtmlInThread } from './threads/content-tasks.ts'

/** One thread for all ports of the process. */
const PRINTER = new OfferPrinter()

const OPTION_NAMES = ['secretKey', 'previousSecretKey', 'issuer', 'outbound']

/** Options of `nodePorts`. */
export interface NodeOptions {
  /** 32 bytes. Default: a random key for this process; sealed data cannot be opened after it ends. */
  readonly secretKey?: Uint8Array | undefined
  /** The key before `secretKey`: it opens what was sealed under it, until that is sealed again. */
  readonly previousSecretKey?: Uint8Array | undefined
  /** The service's public URL, with http or https, without a slash at its end, query and fragment. */
  readonly issuer?: string | undefined
  /** Allowed destinations of webhooks, image and document fetches. Default: public addresses only. */
  readonly outbound?: OutboundOptions | undefined
}

/** The ports of the core, and what of the options other adapters need. */
export interface NodePorts extends Omit<Ports, 'storage'> {
  /** The option `outbound`, for the dispatcher of webhooks. */
  readonly outbound: OutboundOptions
}

/**
 * Creates all ports of the core except the storage.
 * @throws Error naming the entry of `allowCidrs` that is not a valid range
 * @throws TypeError naming an option that does not exist, or a key that is not one
 */
export function nodePorts(options: NodeOptions = {}): NodePorts {
  assertNodeOptions(options)
  const { secretKey, previousSecretKey, issuer = 'http://127.0.0.1:3000', outbound = {} } = options
  const policy = addressPolicy(outbound)
  // The HTTP client is loaded with the first URL.
  const fetchUrl: FetchUrl = async (url, limits) => {
    const { fetchPublicUrl } = await import('./outbound-http/fetch-public-url.ts')
    return fetchPublicUrl(url, limits, { policy })
  }
  return {
    outbound,
    issuer,
    now: systemClock(),
    newId,
    random,
    passwords,
    secrets: secrets(secretKey ?? random(SECRET_KEY_BYTES), previousSecretKey),
    tokens: jwtTokens(),
    sanitizeHtml: sanitizeHtmlInThread,
    files: nodeFiles(fetchUrl),
    parsePhone,
    tables: threadedTables,
    parseOutboundUrl: (text) => formatOutboundUrl(parseOutboundUrl(text, policy)),
    printOffer: PRINTER.print,
    fetchDocument: documentFetcher(fetchUrl),
  }
}

/** Removes the brackets of an IPv6 host and the trailing dots of a name: neither changes the destination. */
function formatOutboundUrl(
  result: ReturnType<typeof parseOutboundUrl>,
): ReturnType<Ports['parseOutboundUrl']> {
  return 'error' in result
    ? result
    : { url: result.url.href, host: result.url.hostname.replace(/^\[|\]$|\.+$/g, '') }
}

/** A key under a wrong name would be replaced by a random one, and what is sealed under that is lost. */
function assertNodeOptions(options: NodeOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`nodePorts has no option ${unknown}. It has ${OPTION_NAMES.join(', ')}.`)
  if (options.issuer !== undefined && !isIssuer(options.issuer))
    throw new TypeError(
      'The option issuer of nodePorts must be an http or https URL without a slash at its end, query, fragment and credentials.',
    )
  for (const name of ['secretKey', 'previousSecretKey'] as const) {
    const key = options[name]
    if (key !== undefined && !(key instanceof Uint8Array && key.length === SECRET_KEY_BYTES))
      throw new TypeError(
        `The option ${name} of nodePorts must be ${SECRET_KEY_BYTES} bytes: see loadSecretKey.`,
      )
  }
}

function isIssuer(issuer: unknown): boolean {
  const url = typeof issuer === 'string' ? URL.parse(issuer) : null
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.origin}${url.pathname}`.replace(/\/$/, '') === issuer
  )
}
