import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { Ports } from '../ports/index.ts'
import { parseOpaqueToken } from './opaque-token.ts'

interface TokenRecord extends RecordBase {
  readonly token_hash: string
  readonly expires_at: Instant
}

interface TokenLookup {
  readonly prefix: string
  readonly token: string
}

/** The unexpired record that an opaque token names; undefined for any other text. */
export async function findByToken<R extends TokenRecord>(
  store: Pick<RecordStore<R>, 'get' | 'getForUpdate'>,
  { prefix, token }: TokenLookup,
  { secrets, now }: Pick<Ports, 'secrets' | 'now'>,
  method: 'get' | 'getForUpdate' = 'get',
): Promise<R | undefined> {
  const [id] = parseOpaqueToken(prefix, 1, token) ?? []
  const record = id === undefined ? undefined : await store[method](id)
  return record && secrets.matches(token, record.token_hash) && record.expires_at > now() ? record : undefined
}
