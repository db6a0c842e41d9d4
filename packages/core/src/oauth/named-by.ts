import type { Instant, Ports, RecordBase, RecordStore } from '../ports.ts'
import { idsInHandle } from './handle.ts'

interface Handled extends RecordBase {
  readonly token_hash: string
  readonly expires_at: Instant
}

interface Handle {
  readonly prefix: string
  readonly token: string
}

/** The record a handle names, until it expires; `undefined` for any text that proves a right to none. */
export async function namedBy<R extends Handled>(
  store: Pick<RecordStore<R>, 'get' | 'getForUpdate'>,
  { prefix, token }: Handle,
  { secrets, now }: Pick<Ports, 'secrets' | 'now'>,
  how: 'get' | 'getForUpdate' = 'get',
): Promise<R | undefined> {
  const [id] = idsInHandle(prefix, 1, token) ?? []
  const record = id === undefined ? undefined : await store[how](id)
  return record && secrets.matches(token, record.token_hash) && record.expires_at > now() ? record : undefined
}
