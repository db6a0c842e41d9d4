import type { Ports } from '@sales-crm/core/ports'
import { cleanHtml } from './clean-html.ts'
import { systemClock } from './clock.ts'
import { newId, random } from './crypto/ids.ts'
import { jwtTokens } from './crypto/jwt.ts'
import { passwords } from './crypto/passwords.ts'
import { SECRET_KEY_BYTES } from './crypto/secret-key.ts'
import { secrets } from './crypto/secrets.ts'
import { nodeFiles } from './files/files.ts'
import { addressPolicy, type OutboundOptions } from './outbound-http/address-policy.ts'
import { documentFetcher } from './outbound-http/document-fetcher.ts'
import type { OutboundClient } from './outbound-http/outbound-client.ts'
import { parseOutboundUrl } from './outbound-http/outbound-url.ts'

export interface NodeOptions {
  /** 32 bytes. Left out, a random key that lives as long as the process: what is sealed cannot be opened after it. */
  readonly secretKey?: Uint8Array | undefined
  /** The service's public address, without a slash at the end. */
  readonly issuer?: string | undefined
  /** Where images and documents may be fetched from and webhooks may lead; left out, public addresses only. */
  readonly outbound?: OutboundOptions | undefined
}

/**
 * Everything the core asks of Node.js; a storage makes it whole.
 * @throws Error naming the range of `allowCidrs` that cannot be read
 */
export function nodePorts({
  secretKey,
  issuer = 'http://127.0.0.1:3000',
  outbound = {},
}: NodeOptions = {}): Omit<Ports, 'storage'> {
  const policy = addressPolicy(outbound)
  const getClient = lazyOutboundClient(outbound)
  return {
    issuer,
    now: systemClock(),
    newId,
    random,
    passwords,
    secrets: secrets(secretKey ?? random(SECRET_KEY_BYTES)),
    tokens: jwtTokens(),
    cleanHtml,
    files: nodeFiles(getClient),
    outboundUrl: (text) => formatOutboundUrl(parseOutboundUrl(text, policy)),
    fetchDocument: documentFetcher(getClient),
  }
}

/** The host of an address stands without the brackets, that of a name without the dot, which change nothing. */
function formatOutboundUrl(result: ReturnType<typeof parseOutboundUrl>): ReturnType<Ports['outboundUrl']> {
  return 'fault' in result
    ? result
    : { url: result.url.href, host: result.url.hostname.replace(/^\[|\]$|\.+$/g, '') }
}

/** One guard, made when first asked for. */
function lazyOutboundClient(outbound: OutboundOptions): () => Promise<OutboundClient> {
  let client: Promise<OutboundClient> | undefined
  return () => {
    client ??= import('./outbound-http/outbound-client.ts').then(({ createOutboundClient: makeGuard }) =>
      makeGuard(outbound),
    )
    return client
  }
}
