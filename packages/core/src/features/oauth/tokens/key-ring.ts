import { isConflict } from '../../../kernel/errors.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Ports } from '../../../ports/index.ts'
import type { SharedStores } from '../../../ports/storage.ts'
import type { SigningKey } from '../../../schema/signing-key.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token-claims.ts'

const SECRET_BYTES = 32
/**
 * The maximum age of the cached keys. For this long a process may sign with a key that another one replaced.
 */
const RELOAD_MS = 60_000

export interface Key {
  readonly kid: string
  readonly secret: Uint8Array
}

export interface KeyRing {
  /** Returns the key that signs. Creates the first key if there is none. */
  current(): Promise<Key>
  /** Returns the secret of a key that verifies tokens. Reloads the keys if this one is not cached. */
  getVerifyingSecret(kid: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /**
   * Returns the secret of any key, also one that no longer verifies, for operations that accept expired
   * tokens.
   */
  getAnySecret(kid: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** Creates a new current key. The previous key verifies until its last token has expired. */
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

  /**
   * Starts after a load in progress ends: the key in question may be newer than the snapshot of that load.
   */
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

  function withFreshKeys<T>(kid: string, find: () => T): T | Promise<T> {
    return keys.has(kid) && !isStale() ? find() : reload().then(find)
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
        // A concurrent rotation has already created a new key.
        if (locked?.role === null) return
        if (locked) await tx.signing_keys.update({ ...locked, role: null, updated_at: now() })
        await insertKey(tx)
      })
      await reload()
      return findCurrentKey()!
    },
  }

  /** Creates the first key, or loads the one that a concurrently starting process created. */
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

/** Returns the context under which a signing key is sealed. */
export function sealContext(kid: string): string {
  return `signing key ${kid}`
}
