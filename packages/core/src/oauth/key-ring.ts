import { isConflict } from '../errors.ts'
import type { Instant, Ports, SharedStores } from '../ports.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import type { SigningKey } from './signing-key.ts'

const SECRET_BYTES = 32
/** How long a process may go on with the keys it knows, and so sign with one that was replaced meanwhile. */
const REREAD_MS = 60_000

export interface Key {
  readonly kid: string
  readonly secret: Uint8Array
}

export interface KeyRing {
  /** The key that signs; the first is made when there is none. */
  current(): Promise<Key>
  /** The secret of a key that may verify, known or new since the last look. */
  secretOf(kid: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** The secret of a key that verifies or once did: for what may be done with a token long expired. */
  everSecretOf(kid: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** Makes another key current. The one before verifies until its last token has expired. */
  rotate(): Promise<Key>
}

interface Known {
  readonly key: Key
  readonly current: boolean
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
  let known: ReadonlyMap<string, Known> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined

  const millis = () => Date.parse(now())
  const stale = () => Math.abs(millis() - readAt) > REREAD_MS

  /** Shares no read that has begun: what is looked for may be newer than what that finds. */
  function reread(): Promise<void> {
    next ??= Promise.allSettled([reading]).then(() => {
      next = undefined
      reading = readAll()
      return reading
    })
    return next
  }

  async function readAll(): Promise<void> {
    const records = await storage.read((tx) => tx.signing_keys.find([]))
    known = new Map(records.map((record) => [record.id, opened(record)]))
    readAt = millis()
  }

  function opened(record: SigningKey): Known {
    const secret = secrets.open(record.sealed_secret, contextOf(record.id))
    const verifiesUntil =
      record.role === 'current' ? Number.POSITIVE_INFINITY : Date.parse(record.updated_at) + ACCESS_TOKEN_SECONDS * 1000 + REREAD_MS
    return { key: { kid: record.id, secret }, current: record.role === 'current', verifiesUntil }
  }

  function usable(kid: string): Uint8Array | undefined {
    const found = known.get(kid)
    return found && millis() < found.verifiesUntil ? found.key.secret : undefined
  }

  function looked<T>(kid: string, look: () => T): T | Promise<T> {
    return known.has(kid) && !stale() ? look() : reread().then(look)
  }

  function currentKnown(): Key | undefined {
    return [...known.values()].find(({ current }) => current)?.key
  }

  return {
    async current() {
      if (!currentKnown() || stale()) await reread()
      return currentKnown() ?? (await makeFirst())
    },
    secretOf: (kid) => looked(kid, () => usable(kid)),
    everSecretOf: (kid) => looked(kid, () => known.get(kid)?.key.secret),
    async rotate() {
      await storage.transact(async (tx) => {
        const [current] = await tx.signing_keys.find([{ field: 'role', is: 'current' }])
        const held = current && (await tx.signing_keys.getForUpdate(current.id))
        // Another call was faster, and its key is as new as this one's would be.
        if (held?.role === null) return
        if (held) await tx.signing_keys.update({ ...held, role: null, updated_at: now() })
        await insertKey(tx)
      })
      await reread()
      return currentKnown()!
    },
  }

  /** Of two processes that start at once, one makes the key and the other reads it. */
  async function makeFirst(): Promise<Key> {
    try {
      await storage.transact(insertKey)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    await reread()
    return currentKnown()!
  }

  async function insertKey(tx: SharedStores): Promise<void> {
    const id = newId()
    const at: Instant = now()
    const sealed_secret = secrets.seal(random(SECRET_BYTES), contextOf(id))
    await tx.signing_keys.insert({ id, sealed_secret, role: 'current', created_at: at, updated_at: at })
  }
}

/** What a signing key is sealed for. */
export function contextOf(kid: string): string {
  return `signing key ${kid}`
}
