import { later } from '../instants.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import { bytesOf, textOf } from '../text-bytes.ts'
import type { Letter } from './letter.ts'
import type { StoredLetter } from './stored-letter.ts'

type Needed = Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId'>

/** Longer than a mail server is waited for; after it, another process may try. */
const LEASE_SECONDS = 120
const AT_ONCE = 20
const FIRST_WAIT_SECONDS = 5
/** The longest wait between tries is at least this, however short the letter's life. */
const LEAST_BOUND_SECONDS = 60
const LONGEST_WAIT_SECONDS = 900
/** Time for a last try, and for its reader to follow the link. */
const LAST_TRY_SECONDS = 30

/** What became of one try. */
export interface Dispatch {
  /** `unreadable` is one that was sealed under another key. */
  readonly kind: Letter['kind'] | 'unreadable'
  readonly attempts: number
  /** Why it was not sent; undefined when it was. */
  readonly failure?: unknown
  /** When it is tried again; undefined when it is not. */
  readonly again?: Instant
}

/**
 * Puts a letter in the outbox, in the transaction of what causes it. Without a letter there is the same work to do, and nothing is
 * sent: so that nobody learns from the time it takes whether there was someone to write to.
 */
export async function post(
  tx: Transaction,
  { secrets, newId }: Pick<Ports, 'secrets' | 'newId'>,
  letter: Letter | undefined,
  { at, expires_at }: { readonly at: Instant; readonly expires_at: Instant },
): Promise<void> {
  const id = newId()
  const sealed = secrets.seal(bytesOf(JSON.stringify(letter ?? null)), contextOf(id))
  await tx.letters.insert({ id, sealed, due_at: at, attempts: 0, expires_at, created_at: at, updated_at: at })
}

/**
 * Sends up to twenty that are due, and says what became of each. That none is told does not mean that none is left: an empty letter goes
 * the same way untold. A letter is sent again after a crash between sending and noting it: twice is better than never. Where `goOn`, which
 * is asked before each, says no, the others stay as they are.
 */
export async function sendLetters(
  ports: Needed,
  send: (letter: Letter) => Promise<void>,
  goOn: () => boolean = () => true,
): Promise<readonly Dispatch[]> {
  const { storage, now } = ports
  const due = await storage.read(({ letters }) =>
    letters.list({ page: 1, per_page: AT_ONCE, order_by: 'due_at', order: 'asc', where: [{ field: 'due_at', to: now() }] }),
  )
  const dispatched: Dispatch[] = []
  for (const { id } of due.rows) {
    if (!goOn()) break
    const claimed = await claim(ports, id)
    const done = claimed && (await dispatch(ports, claimed, send))
    if (done) dispatched.push(done)
  }
  return dispatched
}

/** Puts the letter off for as long as a try may take. `undefined` when another has done so, or it was sent. */
async function claim({ storage, now }: Needed, id: string): Promise<StoredLetter | undefined> {
  return storage.transact(async ({ letters }) => {
    const letter = await letters.getForUpdate(id)
    const at = now()
    if (!letter || letter.due_at > at) return undefined
    const claimed = { ...letter, attempts: letter.attempts + 1, due_at: later(at, LEASE_SECONDS), updated_at: at }
    await letters.update(claimed)
    return claimed
  })
}

async function dispatch(ports: Needed, stored: StoredLetter, send: (letter: Letter) => Promise<void>): Promise<Dispatch | undefined> {
  const { storage, now } = ports
  const { kind, failure } = await attempted(ports, stored, send)
  const again = failure && nextTry(stored, now())
  await storage.transact(async ({ letters }) => {
    if (!failure) return letters.erase(stored.id)
    const held = await letters.getForUpdate(stored.id)
    // Another process took it over: what becomes of it is up to that one.
    if (held?.attempts !== stored.attempts) return
    await (again === undefined ? letters.erase(stored.id) : letters.update({ ...held, due_at: again }))
  })
  if (kind === undefined) return undefined
  return { kind, attempts: stored.attempts, ...(failure && { failure: failure.error }), ...(again !== undefined && { again }) }
}

/** `kind` is undefined where there was no letter. */
async function attempted(
  { secrets, now }: Needed,
  { id, sealed, expires_at }: StoredLetter,
  send: (letter: Letter) => Promise<void>,
): Promise<{ readonly kind: Dispatch['kind'] | undefined; readonly failure?: { readonly error: unknown } }> {
  let kind: Dispatch['kind'] = 'unreadable'
  try {
    const letter = JSON.parse(textOf(secrets.open(sealed, contextOf(id)))) as Letter | null
    if (!letter) return { kind: undefined }
    kind = letter.kind
    if (expires_at <= now()) throw new Error('The letter was of no use any more before it could be sent.')
    await send(letter)
    return { kind }
  } catch (error) {
    return { kind, failure: { error } }
  }
}

/**
 * Waits that double: up to a quarter of an hour, up to less for a letter that is of use for a short time. The last try is shortly
 * before the letter expires; `undefined` when that is over.
 */
export function nextTry(
  { attempts, created_at, expires_at }: Pick<StoredLetter, 'attempts' | 'created_at' | 'expires_at'>,
  at: Instant,
): Instant | undefined {
  const last = later(expires_at, -LAST_TRY_SECONDS)
  if (at >= last) return undefined
  const life = (Date.parse(expires_at) - Date.parse(created_at)) / 1000
  const longest = Math.min(LONGEST_WAIT_SECONDS, Math.max(LEAST_BOUND_SECONDS, life / 8))
  const next = later(at, Math.min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), longest))
  return next < last ? next : last
}

function contextOf(id: string): string {
  return `letter ${id}`
}
