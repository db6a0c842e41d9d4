import type { Ports, Secrets } from '../../ports/index.ts'
import type { Storage, Transaction } from '../../ports/storage.ts'
import { sealContext as mailContext } from '../mail/mail-queue.ts'
import { sealContext as signingKeyContext } from '../oauth/tokens/key-ring.ts'
import { secretContext } from '../webhooks/webhook.ts'

/** Numbers of sealed values, as `operator.resealSecrets` returns them. */
export interface ResealResult {
  /** Sealed under the previous key before, and now under the present one. */
  readonly resealed: number
  /** Neither the present key nor the previous one opens them. They stay as they are. */
  readonly unreadable: number
}

/** A value that is sealed under the service's secret key. */
interface SealedValue {
  readonly sealed: string
  readonly context: string
  /** Replaces it, if it is still the same. */
  replace(tx: Transaction, sealed: string): Promise<void>
}

/**
 * Seals what the present secret key does not open under it. `ports.secrets` opens what the previous key
 * sealed, too. The service may run meanwhile, if it knows both keys.
 * @param present secrets with the present key only
 */
export async function resealSecrets(
  { storage, secrets }: Pick<Ports, 'storage' | 'secrets'>,
  present: Pick<Secrets, 'open'>,
): Promise<ResealResult> {
  let [resealed, unreadable] = [0, 0]
  for (const { sealed, context, replace } of await listSealedValues(storage)) {
    if (canOpen(present, sealed, context)) continue
    if (!canOpen(secrets, sealed, context)) {
      unreadable += 1
      continue
    }
    const value = secrets.seal(secrets.open(sealed, context), context)
    await storage.transact((tx) => replace(tx, value))
    resealed += 1
  }
  return { resealed, unreadable }
}

/** Counts the sealed values that the present secret key does not open. */
export async function countForeignSecrets(
  storage: Pick<Storage, 'read'>,
  present: Pick<Secrets, 'open'>,
): Promise<number> {
  const values = await listSealedValues(storage)
  return values.filter(({ sealed, context }) => !canOpen(present, sealed, context)).length
}

function canOpen(secrets: Pick<Secrets, 'open'>, sealed: string, context: string): boolean {
  try {
    secrets.open(sealed, context)
    return true
  } catch {
    return false
  }
}

function listSealedValues(storage: Pick<Storage, 'read'>): Promise<readonly SealedValue[]> {
  return storage.read(async (tx) => {
    const [signingKeys, mails, workspaces] = await Promise.all([
      tx.signing_keys.find([]),
      tx.queued_mail.find([]),
      tx.workspaces.find([]),
    ])
    const values = [...signingKeys.map(signingKeyValue), ...mails.map(mailValue)]
    for (const { id } of workspaces) {
      const webhooks = await tx.workspace(id).webhooks.find([])
      values.push(...webhooks.flatMap((webhook) => webhookValue(id, webhook) ?? []))
    }
    return values
  })
}

function signingKeyValue({ id, sealed_secret: sealed }: { id: string; sealed_secret: string }): SealedValue {
  return {
    sealed,
    context: signingKeyContext(id),
    async replace({ signing_keys }, sealed_secret) {
      const key = await signing_keys.getForUpdate(id)
      if (key?.sealed_secret === sealed) await signing_keys.update({ ...key, sealed_secret })
    },
  }
}

function mailValue({ id, sealed }: { id: string; sealed: string }): SealedValue {
  return {
    sealed,
    context: mailContext(id),
    async replace({ queued_mail }, newSealed) {
      const mail = await queued_mail.getForUpdate(id)
      if (mail?.sealed === sealed) await queued_mail.update({ ...mail, sealed: newSealed })
    },
  }
}

function webhookValue(
  workspaceId: string,
  { id, sealed_secret: sealed }: { id: string; sealed_secret: string | null },
): SealedValue | undefined {
  if (sealed === null) return undefined
  return {
    sealed,
    context: secretContext(workspaceId, id),
    async replace(tx, sealed_secret) {
      const { webhooks } = tx.workspace(workspaceId)
      const webhook = await webhooks.getForUpdate(id)
      if (webhook?.sealed_secret === sealed) await webhooks.update({ ...webhook, sealed_secret })
    },
  }
}
