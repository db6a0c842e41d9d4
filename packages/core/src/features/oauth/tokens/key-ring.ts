import { isConflict } from '../../../kernel/errors.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Ports } from '../../../ports/index.ts'
import type { SharedStores } from '../../../ports/storage.ts'
import type { SigningKey } from '../../../schema/signing-key.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token-claims.ts'

const SECRET_BYTES = 32
/** How long a process may go on with the keys it knows, and so sign with one that was replaced meanwhile. */
const RELOAD_MS = 60_000

export interface Key {
  readonly kid: string
  readonly secret: Uint8Array
}

export interface KeyRing {
  /** The key that signs; the first is made when there is none. */
  current(): Promise<Key>
  /** The secret of a key that may verify, known or new since the last look. */
  getVerifyingSecret(kid: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** The secret of a key that verifies or once did: for what may be done with a token long expired. */
  getAnySecret(kid: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** Makes another key current. The one before verifies until its last token has expired. */
  rotate(): Promise<Key>
}

interface LoadedKey {
  readonly key: Key
  readonly isCurrent: boolean
  /** Unix milliseconds. */
  readonly verifiesUntil: number
}

export function keyRing({
  storage,
  secrets,
  now,
  newId,
  random,
}: Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId' | 'random'>): KeyRing {
  let keys: ReadonlyMap<string, LoadedKey> = new Map()
  let loadedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined
  let nextLoad: Promise<void> | undefined

  const nowMs = () => Date.parse(now())
  const isStale = () => Math.abs(nowMs() - loadedAt) > RELOAD_MS

  /** Shares no read that has begun: what is looked for may be newer than what that finds. */
  function reload(): Promise<void> {
    nextLoad ??= Promise.allSettled([loading]).then(() => {
      nextLoad = undefined
      loading = loadKeys()
      return loading
    })
    return nextLoad
  }

  async function loadKeys(): Promise<void> {
    const records = await storage.read((tx) => tx.signing_keys.find([]))
    keys = new Map(records.map((record) => [record.id, unsealKey(record)]))
    loadedAt = nowMs()
  }

  function unsealKey(record: SigningKey): LoadedKey {
    const secret = secrets.open(record.sealed_secret, sealContext(record.id))
    const verifiesUntil =
      record.role === 'current'
        ? Number.POSITIVE_INFINITY
        : Date.parse(record.updated_at) + ACCESS_TOKEN_SECONDS * 1000 + RELOAD_MS
    return { key: { kid: record.id, secret }, isCurrent: record.role === 'current', verifiesUntil }
  }

  function findVerifyingSecret(kid: string): Uint8Array | undefined {
    const key = keys.get(kid)
    return key && nowMs() < key.verifiesUntil ? key.key.secret : undefined
  }

  function withFreshKeys<T>(kid: string, lookUp: () => T): T | Promise<T> {
    return keys.has(kid) && !isStale() ? lookUp() : reload().then(lookUp)
  }

  function findCurrentKey(): Key | undefined {
    return [...keys.values()].find(({ isCurrent }) => isCurrent)?.key
  }

  return {
    async current() {
      if (!findCurrentKey() || isStale()) await reload()
      return findCurrentKey() ?? (await createFirstKey())
    },
    getVerifyingSecret: (kid) => withFreshKeys(kid, () => findVerifyingSecret(kid)),
    getAnySecret: (kid) => withFreshKeys(kid, () => keys.get(kid)?.key.secret),
    async rotate() {
      await storage.transact(async (tx) => {
        const [current] = await tx.signing_keys.find([{ field: 'role', is: 'current' }])
        const locked = current && (await tx.signing_keys.getForUpdate(current.id))
        // Another call was faster, and its key is as new as this one's would be.
        if (locked?.role === null) return
        if (locked) await tx.signing_keys.update({ ...locked, role: null, updated_at: now() })
        await insertKey(tx)
      })
      await reload()
      return findCurrentKey()!
    },
  }

  /** Of two processes that start at once, one makes the key and the other reads it. */
  async function createFirstKey(): Promise<Key> {
    try {
      await storage.transact(insertKey)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    await reload()
    return findCurrentKey()!
  }

  async function insertKey(tx: SharedStores): Promise<void> {
    const id = newId()
    const at: Instant = now()
    const sealed_secret = secrets.seal(random(SECRET_BYTES), sealContext(id))
    await tx.signing_keys.insert({ id, sealed_secret, role: 'current', created_at: at, updated_at: at })
  }
}

/** What a signing key is sealed for. */
export function sealContext(kid: string): string {
  return `signing key ${kid}`
}
