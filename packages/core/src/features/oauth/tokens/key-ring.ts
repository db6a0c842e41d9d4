import { isConflict } from '../../../kernel/errors.ts'
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

interface LoadedKey {
  readonly key: Key
  readonly isCurrent: boolean
  /** Unix milliseconds. */
  readonly verifiesUntil: number
}

type KeyRingPorts = Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId' | 'random'>

/** The keys that sign and verify access tokens. */
export class KeyRing {
  readonly #ports: KeyRingPorts
  #keys: ReadonlyMap<string, LoadedKey> = new Map()
  #loadedAt = Number.NEGATIVE_INFINITY
  #loading: Promise<void> | undefined
  #nextLoad: Promise<void> | undefined

  constructor(ports: KeyRingPorts) {
    this.#ports = ports
  }

  /** Returns the key that signs. Creates the first key if there is none. */
  async current(): Promise<Key> {
    if (!this.#findCurrentKey() || this.#isStale()) await this.#reload()
    return this.#findCurrentKey() ?? (await this.#createFirstKey())
  }

  /** Returns the secret of a key that verifies tokens. Reloads the keys if this one is not cached. */
  getVerifyingSecret(kid: string): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    return this.#withFreshKeys(kid, () => this.#findVerifyingSecret(kid))
  }

  /**
   * Returns the secret of any key, also one that no longer verifies, for operations that accept expired
   * tokens.
   */
  getAnySecret(kid: string): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    return this.#withFreshKeys(kid, () => this.#keys.get(kid)?.key.secret)
  }

  /** Creates a new current key. The previous key verifies until its last token has expired. */
  async rotate(): Promise<Key> {
    const { storage, now } = this.#ports
    await storage.transact(async (tx) => {
      const [current] = await tx.signing_keys.find([{ field: 'role', is: 'current' }])
      const locked = current && (await tx.signing_keys.getForUpdate(current.id))
      // A concurrent rotation has already created a new key.
      if (locked?.role === null) return
      if (locked) await tx.signing_keys.update({ ...locked, role: null, updated_at: now() })
      await this.#insertKey(tx)
    })
    await this.#reload()
    return this.#findCurrentKey()!
  }

  /**
   * Starts after a load in progress ends: the key in question may be newer than the snapshot of that load.
   */
  #reload(): Promise<void> {
    this.#nextLoad ??= Promise.allSettled([this.#loading]).then(() => {
      this.#nextLoad = undefined
      this.#loading = this.#loadKeys()
      return this.#loading
    })
    return this.#nextLoad
  }

  async #loadKeys(): Promise<void> {
    const records = await this.#ports.storage.read((tx) => tx.signing_keys.find([]))
    this.#keys = new Map(records.map((record) => [record.id, this.#unsealKey(record)]))
    this.#loadedAt = this.#nowMs()
  }

  #unsealKey(record: SigningKey): LoadedKey {
    const secret = this.#ports.secrets.open(record.sealed_secret, sealContext(record.id))
    const verifiesUntil =
      record.role === 'current'
        ? Number.POSITIVE_INFINITY
        : Date.parse(record.updated_at) + ACCESS_TOKEN_SECONDS * 1000 + RELOAD_MS
    return { key: { kid: record.id, secret }, isCurrent: record.role === 'current', verifiesUntil }
  }

  #findVerifyingSecret(kid: string): Uint8Array | undefined {
    const key = this.#keys.get(kid)
    return key && this.#nowMs() < key.verifiesUntil ? key.key.secret : undefined
  }

  #findCurrentKey(): Key | undefined {
    return [...this.#keys.values()].find(({ isCurrent }) => isCurrent)?.key
  }

  #withFreshKeys<T>(kid: string, find: () => T): T | Promise<T> {
    return this.#keys.has(kid) && !this.#isStale() ? find() : this.#reload().then(find)
  }

  #isStale(): boolean {
    return Math.abs(this.#nowMs() - this.#loadedAt) > RELOAD_MS
  }

  #nowMs(): number {
    return Date.parse(this.#ports.now())
  }

  /** Creates the first key, or loads the one that a concurrently starting process created. */
  async #createFirstKey(): Promise<Key> {
    try {
      await this.#ports.storage.transact((tx) => this.#insertKey(tx))
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    await this.#reload()
    return this.#findCurrentKey()!
  }

  async #insertKey(tx: SharedStores): Promise<void> {
    const { secrets, now, newId, random } = this.#ports
    const id = newId()
    const at = now()
    const sealed_secret = secrets.seal(random(SECRET_BYTES), sealContext(id))
    await tx.signing_keys.insert({ id, sealed_secret, role: 'current', created_at: at, updated_at: at })
  }
}

/** Returns the context under which a signing key is sealed. */
export function sealContext(kid: string): string {
  return `signing key ${kid}`
}
