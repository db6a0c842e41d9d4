import type { IdempotentRequest, IdempotentResult, SaveResponse } from '../../engine/extension.ts'
import { type FieldErrors, idempotencyConflict, isConflict } from '../../kernel/errors.ts'
import { addSeconds, DAY, type Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { IdempotencyKey } from '../../schema/idempotency-key.ts'
import { canonicalJson } from './canonical-json.ts'

/** How long an answer is kept. */
const RETENTION_SECONDS = DAY
/** So often a request that others keep overtaking looks for their answer. */
const MAX_ATTEMPTS = 5
const BATCH_SIZE = 500
const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/**
 * Answers equal requests under one key the same for 24 hours, of which `make` is run for the first alone. Of those under way at
 * once, one keeps its answer: the others wait for it, make nothing, and are answered the same. What `make` throws is not kept.
 * `faults` says what is wrong with the key itself; `make` then refuses it, together with all else.
 * @throws CrmError `idempotency_conflict` when the key was used with another body, and what `make` throws
 */
export async function createIdempotently<T>(
  { storage, secrets, now, newId }: Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId'>,
  { actor, path, key, body }: IdempotentRequest,
  create: (saveResponse: SaveResponse, keyErrors: FieldErrors) => Promise<T>,
): Promise<IdempotentResult<T>> {
  const keyErrors: FieldErrors = PRINTABLE.test(key)
    ? {}
    : { 'Idempotency-Key': 'Must be 1 to 255 printable ASCII characters.' }
  const scope = secrets.hash(JSON.stringify([actor.clientId, actor.workspaceId, path, key]))
  const request = secrets.hash(canonicalJson(body))

  for (let attempt = 1; ; attempt += 1) {
    const stored = await storage.read((tx) => tx.idempotency_keys.find([{ field: 'scope', is: scope }]), {
      isolation: 'statement',
    })
    const [live] = stored.filter((record) => isLive(record, now()))
    if (live && live.request !== request) throw idempotencyConflict()
    if (live) return { response: live.answer as T, isReplay: true }
    try {
      return {
        response: await create((tx, answer) => saveResponse(tx, stored, answer), keyErrors),
        isReplay: false,
      }
    } catch (error) {
      if (!isScopeConflict(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }

  async function saveResponse(
    tx: Transaction,
    expired: readonly IdempotencyKey[],
    answer: unknown,
  ): Promise<void> {
    for (const { id } of expired) await tx.idempotency_keys.hardDelete(id)
    const at = now()
    await tx.idempotency_keys.insert({ id: newId(), scope, request, answer, created_at: at, updated_at: at })
  }
}

/** Forgets answers that are no longer kept, a few at a time so that nobody waits for long. Gives how many there were. */
export async function deleteExpiredResponses({
  storage,
  now,
}: Pick<Ports, 'storage' | 'now'>): Promise<number> {
  return storage.transact(async ({ idempotency_keys }) => {
    const where = [{ field: 'created_at', to: addSeconds(now(), -RETENTION_SECONDS) } as const]
    const { rows } = await idempotency_keys.list({
      page: 1,
      per_page: BATCH_SIZE,
      order_by: 'created_at',
      order: 'asc',
      where,
    })
    for (const { id } of rows) await idempotency_keys.hardDelete(id)
    return rows.length
  })
}

function isLive({ created_at }: IdempotencyKey, now: Instant): boolean {
  return created_at > addSeconds(now, -RETENTION_SECONDS)
}

/** Another request under the same key was faster. */
function isScopeConflict(error: unknown): boolean {
  return isConflict(error) && error.fields?.['scope'] !== undefined
}
