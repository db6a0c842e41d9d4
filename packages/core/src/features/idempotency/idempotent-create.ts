import type { IdempotentRequest, IdempotentResult, SaveResponse } from '../../engine/extension.ts'
import { type FieldErrors, idempotencyConflict, isConflict } from '../../kernel/errors.ts'
import { addSeconds, DAY, type Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { IdempotencyKey } from '../../schema/idempotency-key.ts'
import { canonicalJson } from './canonical-json.ts'

/** Time for which a stored response is replayed. */
const RETENTION_SECONDS = DAY
/** Attempts of a request that concurrent ones with the same key keep overtaking. */
const MAX_ATTEMPTS = 5
const BATCH_SIZE = 500
const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/**
 * Runs `create` for the first of equal requests under one key and returns its response to the others for 24
 * hours. Of concurrent requests, one stores its response; the others conflict with it, roll back and return
 * it. Errors of `create` are not stored. `keyErrors` are the errors of the key itself: `create` then throws
 * them together with its own.
 * @throws CrmError `idempotency_conflict` when the key was used with another body, and what `create` throws
 */
export async function createIdempotently<T>(
  { storage, secrets, now, newId }: Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId'>,
  { actor, path, key, body }: IdempotentRequest,
  create: (saveResponse: SaveResponse, keyErrors: FieldErrors) => Promise<T>,
): Promise<IdempotentResult<T>> {
  const keyErrors: FieldErrors =
    typeof key === 'string' && PRINTABLE.test(key)
      ? {}
      : { 'Idempotency-Key': 'Must be 1 to 255 printable ASCII characters.' }
  const scope = secrets.hash(JSON.stringify([actor.clientId, actor.workspaceId, path, key]))
  const request = secrets.hash(canonicalJson(body))

  const findKeys = () =>
    storage.read((tx) => tx.idempotency_keys.find([{ field: 'scope', is: scope }]), {
      isolation: 'statement',
    })
  const findLiveKey = (keys: readonly IdempotencyKey[]) => keys.find((record) => isLive(record, now()))

  for (let attempt = 1; ; attempt += 1) {
    const storedKeys = await findKeys()
    const liveKey = findLiveKey(storedKeys)
    if (liveKey && liveKey.request !== request) throw idempotencyConflict()
    if (liveKey) return { response: liveKey.answer as T, isReplay: true }
    try {
      return {
        response: await create((tx, response) => saveResponse(tx, storedKeys, response), keyErrors),
        isReplay: false,
      }
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error
      if (isScopeConflict(error)) continue
      // A concurrent equal request may hold the unique value that this one met.
      if (!isConflict(error) || findLiveKey(await findKeys()) === undefined) throw error
    }
  }

  async function saveResponse(
    tx: Transaction,
    expiredKeys: readonly IdempotencyKey[],
    response: unknown,
  ): Promise<void> {
    for (const { id } of expiredKeys) await tx.idempotency_keys.hardDelete(id)
    const at = now()
    await tx.idempotency_keys.insert({
      id: newId(),
      scope,
      request,
      answer: response,
      created_at: at,
      updated_at: at,
    })
  }
}

/** Deletes up to 500 expired responses, so that the transaction stays short. Returns their number. */
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

/** True if a concurrent request under the same key was faster. */
function isScopeConflict(error: unknown): boolean {
  return isConflict(error) && error.fields?.['scope'] !== undefined
}
