import type { Actor } from '../actor.ts'
import { type FieldErrors, idempotencyConflict, isConflict } from '../errors.ts'
import { DAY, later } from '../instants.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import { canonicalJson } from './canonical-json.ts'
import type { IdempotencyKey } from './idempotency-key.ts'

/** How long an answer is kept. */
const KEPT_SECONDS = DAY
/** So often a request that others keep overtaking looks for their answer. */
const TRIES = 5
const FORGOTTEN_AT_ONCE = 500
const PRINTABLE = /^[\x20-\x7e]{1,255}$/

export interface Once<T> {
  readonly answer: T
  /** Whether an earlier request was answered this, and nothing was done now. */
  readonly replayed: boolean
}

interface Request {
  readonly actor: Actor
  readonly path: string
  readonly key: string
  readonly body: unknown
}

/** Keeps the answer in the transaction that makes what it tells of. */
export type Keep = (tx: Transaction, answer: unknown) => Promise<void>

/**
 * Answers equal requests under one key the same for 24 hours, of which `make` is run for the first alone. Of those under way at
 * once, one keeps its answer: the others wait for it, make nothing, and are answered the same. What `make` throws is not kept.
 * `faults` says what is wrong with the key itself; `make` then refuses it, together with all else.
 * @throws CrmError `idempotency_conflict` when the key was used with another body, and what `make` throws
 */
export async function answeredOnce<T>(
  { storage, secrets, now, newId }: Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId'>,
  { actor, path, key, body }: Request,
  make: (keep: Keep, faults: FieldErrors) => Promise<T>,
): Promise<Once<T>> {
  const faults: FieldErrors = PRINTABLE.test(key) ? {} : { 'Idempotency-Key': 'Must be 1 to 255 printable ASCII characters.' }
  const scope = secrets.hash(JSON.stringify([actor.clientId, actor.workspaceId, path, key]))
  const request = secrets.hash(canonicalJson(body))

  for (let tries = 1; ; tries += 1) {
    const kept = await storage.glance((tx) => tx.idempotency_keys.find([{ field: 'scope', is: scope }]))
    const [live] = kept.filter((each) => isLive(each, now()))
    if (live && live.request !== request) throw idempotencyConflict()
    if (live) return { answer: live.answer as T, replayed: true }
    try {
      return { answer: await make((tx, answer) => keep(tx, kept, answer), faults), replayed: false }
    } catch (error) {
      if (!isOvertaken(error) || tries === TRIES) throw error
    }
  }

  async function keep(tx: Transaction, expired: readonly IdempotencyKey[], answer: unknown): Promise<void> {
    for (const { id } of expired) await tx.idempotency_keys.erase(id)
    const at = now()
    await tx.idempotency_keys.insert({ id: newId(), scope, request, answer, created_at: at, updated_at: at })
  }
}

/** Forgets answers that are no longer kept, a few at a time so that nobody waits for long. Gives how many there were. */
export async function forgetAnswers({ storage, now }: Pick<Ports, 'storage' | 'now'>): Promise<number> {
  return storage.transact(async ({ idempotency_keys }) => {
    const where = [{ field: 'created_at', to: later(now(), -KEPT_SECONDS) } as const]
    const { rows } = await idempotency_keys.list({ page: 1, per_page: FORGOTTEN_AT_ONCE, order_by: 'created_at', order: 'asc', where })
    for (const { id } of rows) await idempotency_keys.erase(id)
    return rows.length
  })
}

function isLive({ created_at }: IdempotencyKey, now: Instant): boolean {
  return created_at > later(now, -KEPT_SECONDS)
}

/** Another request under the same key was faster. */
function isOvertaken(error: unknown): boolean {
  return isConflict(error) && error.fields?.['scope'] !== undefined
}
