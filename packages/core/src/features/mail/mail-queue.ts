import { addSeconds, type Instant } from '../../kernel/instant.ts'
import { decodeUtf8, encodeUtf8 } from '../../kernel/utf8.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { QueuedMail } from '../../schema/queued-mail.ts'
import type { OutgoingMail } from './outgoing-mail.ts'

type RequiredPorts = Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId'>

/** Longer than a mail server is waited for; after it, another process may try. */
const LEASE_SECONDS = 120
const BATCH_SIZE = 20
const FIRST_WAIT_SECONDS = 5
/** The longest wait between tries is at least this, however short the letter's life. */
const MIN_LONGEST_WAIT_SECONDS = 60
const LONGEST_WAIT_SECONDS = 900
/** Time for a last try, and for its reader to follow the link. */
const LAST_ATTEMPT_SECONDS = 30

/** What became of one try. */
export interface SendResult {
  /** `unreadable` is one that was sealed under another key. */
  readonly kind: OutgoingMail['kind'] | 'unreadable'
  readonly attempts: number
  /** Why it was not sent; undefined when it was. */
  readonly failure?: unknown
  /** When it is tried again; undefined when it is not. */
  readonly retryAt?: Instant
}

/**
 * Puts a letter in the outbox, in the transaction of what causes it. Without a letter there is the same work to do, and nothing is
 * sent: so that nobody learns from the time it takes whether there was someone to write to.
 */
export async function enqueueMail(
  tx: Transaction,
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
 * Sends up to twenty that are due, and says what became of each. That none is told does not mean that none is left: an empty letter goes
 * the same way untold. A letter is sent again after a crash between sending and noting it: twice is better than never. Where `goOn`, which
 * is asked before each, says no, the others stay as they are.
 */
export async function sendDueMail(
  ports: RequiredPorts,
  send: (mail: OutgoingMail) => Promise<void>,
  shouldContinue: () => boolean = () => true,
): Promise<readonly SendResult[]> {
  const { storage, now } = ports
  const due = await storage.read(({ queued_mail }) =>
    queued_mail.list({
      page: 1,
      per_page: BATCH_SIZE,
      order_by: 'due_at',
      order: 'asc',
      where: [{ field: 'due_at', to: now() }],
    }),
  )
  const results: SendResult[] = []
  for (const { id } of due.rows) {
    if (!shouldContinue()) break
    const claimedMail = await claimMail(ports, id)
    const result = claimedMail && (await sendClaimedMail(ports, claimedMail, send))
    if (result) results.push(result)
  }
  return results
}

/** Puts the letter off for as long as a try may take. `undefined` when another has done so, or it was sent. */
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
    const locked = await queued_mail.getForUpdate(queued.id)
    // Another process took it over: what becomes of it is up to that one.
    if (locked?.attempts !== queued.attempts) return
    await (retryAt === undefined
      ? queued_mail.hardDelete(queued.id)
      : queued_mail.update({ ...locked, due_at: retryAt }))
  })
  if (kind === undefined) return undefined
  return {
    kind,
    attempts: queued.attempts,
    ...(failure && { failure: failure.error }),
    ...(retryAt !== undefined && { retryAt }),
  }
}

/** `kind` is undefined where there was no letter. */
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
 * Waits that double: up to a quarter of an hour, up to less for a letter that is of use for a short time. The last try is shortly
 * before the letter expires; `undefined` when that is over.
 */
export function nextAttemptAt(
  { attempts, created_at, expires_at }: Pick<QueuedMail, 'attempts' | 'created_at' | 'expires_at'>,
  at: Instant,
): Instant | undefined {
  const last = addSeconds(expires_at, -LAST_ATTEMPT_SECONDS)
  if (at >= last) return undefined
  const lifetime = (Date.parse(expires_at) - Date.parse(created_at)) / 1000
  const longest = Math.min(LONGEST_WAIT_SECONDS, Math.max(MIN_LONGEST_WAIT_SECONDS, lifetime / 8))
  const next = addSeconds(at, Math.min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), longest))
  return next < last ? next : last
}

function sealContext(id: string): string {
  return `letter ${id}`
}
