import type { Ports } from '@sales-crm/core/ports'
import { cleanHtml } from './clean-html.ts'
import { systemClock } from './clock.ts'
import { documentFetcher } from './documents.ts'
import { nodeFiles } from './files/files.ts'
import { addressPolicy, type Outbound } from './guard/addresses.ts'
import type { Guard } from './guard/guard.ts'
import { outboundUrl } from './guard/outbound-url.ts'
import { newId, random } from './ids.ts'
import { jwtTokens } from './jwt.ts'
import { passwords } from './passwords.ts'
import { SECRET_KEY_BYTES } from './secret-key.ts'
import { secrets } from './secrets.ts'

export interface NodeOptions {
  /** 32 bytes. Left out, a random key that lives as long as the process: what is sealed cannot be opened after it. */
  readonly secretKey?: Uint8Array | undefined
  /** The service's public address, without a slash at the end. */
  readonly issuer?: string | undefined
  /** Where images and documents may be fetched from and webhooks may lead; left out, public addresses only. */
  readonly outbound?: Outbound | undefined
}

/**
 * Everything the core asks of Node.js; a storage makes it whole.
 * @throws Error naming the range of `allowCidrs` that cannot be read
 */
export function nodePorts({ secretKey, issuer = 'http://127.0.0.1:3000', outbound = {} }: NodeOptions = {}): Omit<Ports, 'storage'> {
  const policy = addressPolicy(outbound)
  const openGuard = guardOf(outbound)
  return {
    issuer,
    now: systemClock(),
    newId,
    random,
    passwords,
    secrets: secrets(secretKey ?? random(SECRET_KEY_BYTES)),
    tokens: jwtTokens(),
    cleanHtml,
    files: nodeFiles(openGuard),
    outboundUrl: (text) => described(outboundUrl(text, policy)),
    fetchDocument: documentFetcher(openGuard),
  }
}

/** The host of an address stands without the brackets, that of a name without the dot, which change nothing. */
function described(judged: ReturnType<typeof outboundUrl>): ReturnType<Ports['outboundUrl']> {
  return 'fault' in judged ? judged : { url: judged.url.href, host: judged.url.hostname.replace(/^\[|\]$|\.+$/g, '') }
}

/** One guard, made when first asked for. */
function guardOf(outbound: Outbound): () => Promise<Guard> {
  let guard: Promise<Guard> | undefined
  return () => {
    guard ??= import('./guard/guard.ts').then(({ makeGuard }) => makeGuard(outbound))
    return guard
  }
}
