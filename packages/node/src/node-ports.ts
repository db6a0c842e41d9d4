import type { Ports } from '@sales-crm/core/ports'
import { systemClock } from './clock.ts'
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
}

/** Everything the core asks of Node.js; a storage makes it whole. */
export function nodePorts({ secretKey, issuer = 'http://127.0.0.1:3000' }: NodeOptions = {}): Omit<Ports, 'storage'> {
  return {
    issuer,
    now: systemClock(),
    newId,
    random,
    passwords,
    secrets: secrets(secretKey ?? random(SECRET_KEY_BYTES)),
    tokens: jwtTokens(),
  }
}
