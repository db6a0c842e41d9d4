import { addSeconds, type Instant } from '../../kernel/instant.ts'
import { decodeUtf8, encodeUtf8 } from '../../kernel/utf8.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { QueuedMail } from '../../schema/queued-mail.ts'
import type { OutgoingMail } from './outgoing-mail.ts'

type RequiredPorts = Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId'>

/** Longer than the timeout of a send. Afterwards another process may claim the mail. */
const LEASE_SECONDS = 120
const BATCH_SIZE = 20
const FIRST_WAIT_SECONDS = 5
/** Lower bound of the longest wait, for mail with a short lifetime. */
const MIN_LONGEST_WAIT_SECONDS = 60
const LONGEST_WAIT_SECONDS = 900
/** Time from the last attempt to expiry: for the send, and for the reader to follow the link. */
const LAST_ATTEMPT_SECONDS = 30

/** The result of one attempt to send a mail, as `crm.mail.send` returns it. */
export interface SendResult {
  /** `unreadable`: the mail could not be opened, for example because it was sealed under another key. */
  readonly kind: OutgoingMail['kind'] | 'unreadable'
  /** Attempts so far, this one included. */
  readonly attempts: number
  /** The error; undefined if the mail was sent. */
  readonly failure?: unknown
  /** Time of the next attempt; undefined if there is none. */
  readonly retryAt?: Instant
}

/**
 * Queues a mail in the transaction that causes it. Without a mail, an equal row is inserted and never sent:
 * the time of the call does not reveal whether there was a recipient.
 */
export async function enqueueMail(
  tx: Pick<Transaction, 'queued_mail'>,
  { secrets, newId }: Pick<Ports, 'secrets' | 'newId'>,
  mail: OutgoingMail | undefined,
  { at, expires_at }: { readonly at: Instant; readonly expires_at: Instant },
): Promise<void> {
  const id = newId()
  const sealed = secrets.seal(encodeUtf8(JSON.stringify(mail ?? null)), sealContext(id))
  await tx.queued_mail.insert({
    id,
    sealed,
    due_at: at,
    attempts: 0,
    expires_at,
    created_at: at,
    updated_at: at,
  })
}

/**
 * Sends up to twenty due mails and returns their results. An empty array does not mean an empty queue: a row
 * without a mail has no result. Delivery is at least once: after a crash between a send and its record, the
 * mail is sent again. `shouldContinue` is called before each mail; when it returns false, the rest stay
 * unchanged.
 */
export async function sendDueMail(
  ports: RequiredPorts,
  send: (mail: OutgoingMail) => Promise<void>,
  shouldContinue: () => boolean = () => true,
): Promise<readonly SendResult[]> {
  const { storage, now } = ports
  const dueMails = await storage.read(({ queued_mail }) =>
    queued_mail.list({
      page: 1,
      per_page: BATCH_SIZE,
      order_by: 'due_at',
      order: 'asc',
      where: [{ field: 'due_at', to: now() }],
    }),
  )
  const results: SendResult[] = []
  for (const { id } of dueMails.rows) {
    if (!shouldContinue()) break
    const claimedMail = await claimMail(ports, id)
    const result = claimedMail && (await sendClaimedMail(ports, claimedMail, send))
    if (result) results.push(result)
  }
  return results
}

/** Postpones the mail by the lease. Returns undefined if another process has claimed or sent it. */
async function claimMail({ storage, now }: RequiredPorts, id: string): Promise<QueuedMail | undefined> {
  return storage.transact(async ({ queued_mail }) => {
    const mail = await queued_mail.getForUpdate(id)
    const at = now()
    if (!mail || mail.due_at > at) return undefined
    const claimedMail = {
      ...mail,
      attempts: mail.attempts + 1,
      due_at: addSeconds(at, LEASE_SECONDS),
      updated_at: at,
    }
    await queued_mail.update(claimedMail)
    return claimedMail
  })
}

async function sendClaimedMail(
  ports: RequiredPorts,
  queued: QueuedMail,
  send: (mail: OutgoingMail) => Promise<void>,
): Promise<SendResult | undefined> {
  const { storage, now } = ports
  const { kind, failure } = await trySend(ports, queued, send)
  const retryAt = failure && nextAttemptAt(queued, now())
  await storage.transact(async ({ queued_mail }) => {
    if (!failure) return queued_mail.hardDelete(queued.id)
    const lockedMail = await queued_mail.getForUpdate(queued.id)
    // Another process has claimed the mail since: that attempt decides.
    if (lockedMail?.attempts !== queued.attempts) return
    await (retryAt === undefined
      ? queued_mail.hardDelete(queued.id)
      : queued_mail.update({ ...lockedMail, due_at: retryAt }))
  })
  if (kind === undefined) return undefined
  return {
    kind,
    attempts: queued.attempts,
    ...(failure && { failure: failure.error }),
    ...(retryAt !== undefined && { retryAt }),
  }
}

/** Returns an undefined `kind` for a row without a mail. */
async function trySend(
  { secrets, now }: RequiredPorts,
  { id, sealed, expires_at }: QueuedMail,
  send: (mail: OutgoingMail) => Promise<void>,
): Promise<{
  readonly kind: SendResult['kind'] | undefined
  readonly failure?: { readonly error: unknown }
}> {
  let kind: SendResult['kind'] = 'unreadable'
  try {
    const mail = JSON.parse(decodeUtf8(secrets.open(sealed, sealContext(id)))) as OutgoingMail | null
    if (!mail) return { kind: undefined }
    kind = mail.kind
    if (expires_at <= now()) throw new Error('The letter was of no use any more before it could be sent.')
    await send(mail)
    return { kind }
  } catch (error) {
    return { kind, failure: { error } }
  }
}

/**
 * Returns the time of the next attempt. Waits double from 5 seconds up to a limit: an eighth of the mail's
 * lifetime, at least 1 and at most 15 minutes. The last attempt is 30 seconds before expiry; after it,
 * returns undefined.
 */
export function nextAttemptAt(
  { attempts, created_at, expires_at }: Pick<QueuedMail, 'attempts' | 'created_at' | 'expires_at'>,
  at: Instant,
): Instant | undefined {
  const lastAttemptAt = addSeconds(expires_at, -LAST_ATTEMPT_SECONDS)
  if (at >= lastAttemptAt) return undefined
  const lifetime = (Date.parse(expires_at) - Date.parse(created_at)) / 1000
  const longestWait = Math.min(LONGEST_WAIT_SECONDS, Math.max(MIN_LONGEST_WAIT_SECONDS, lifetime / 8))
  const next = addSeconds(at, Math.min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), longestWait))
  return next < lastAttemptAt ? next : lastAttemptAt
}

/** The prefix cannot change: rows in the database are sealed with it. */
export function sealContext(id: string): string {
  return `letter ${id}`
}
