import type { Crm, Letter } from '@sales-crm/core'
import type { Mailer } from '@sales-crm/node'
import type { Logger } from 'pino'
import { failureOf } from '../errors.ts'
import { renderLetter } from './render.ts'

const EVERY_MS = 1_000
/** As many as a mailer has connections: a mail that hangs holds up one of them, and the others go on. */
const AT_ONCE = 2
/** What is under way when the service stops gets this long, and then this long to note that it failed. Together less than ten seconds. */
const STOP_MS = 7_000
const NOTE_MS = 2_000

/**
 * Sends the letters that are due: two senders, each with one round a second and one letter at a time. Neither whom they are for nor what
 * stands in them is logged.
 * @returns what ends it: no further letter is begun, and one that is not sent within seconds is sent after the next start
 */
export function startSending(
  crm: { readonly letters: Pick<Crm['letters'], 'send'> },
  mailer: Mailer,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): () => Promise<void> {
  let stopped = false
  let failing = false
  const senders = Array.from({ length: AT_ONCE }, startSender)

  /** @returns what ends it, once a round under way is over */
  function startSender(): () => Promise<void> {
    let round = Promise.resolve()
    let timer = setTimeout(begin, EVERY_MS)

    function begin(): void {
      round = sendDue().then(() => {
        if (!stopped) timer = setTimeout(begin, EVERY_MS)
      })
    }

    return () => {
      clearTimeout(timer)
      return round
    }
  }

  async function sendDue(): Promise<void> {
    try {
      for (const { kind, attempts, failure, again } of await crm.letters.send(sendOne, () => !stopped)) {
        if (failure === undefined) continue
        const err = failureOf(failure)
        if (again === undefined) log.error({ kind, attempts, err }, 'A mail could not be sent, and is given up.')
        else log.warn({ kind, attempts, again, err: { ...err, stack: undefined } }, 'A mail could not be sent. It is tried again.')
      }
      if (failing) log.info('Mail is looked for again.')
      failing = false
    } catch (error) {
      // Said once: it is tried again every second.
      if (!failing && !stopped) log.error({ err: failureOf(error) }, 'Looking for mail to send failed. It is tried again until it works.')
      failing = true
    }
  }

  async function sendOne(letter: Letter): Promise<void> {
    const { file } = await mailer.send(renderLetter(letter))
    log.info({ kind: letter.kind, file }, file === undefined ? 'A mail was sent.' : 'A mail was written.')
  }

  return async () => {
    stopped = true
    const over = Promise.all(senders.map((end) => end()))
    await overWithin(STOP_MS, over)
    await mailer.close()
    await overWithin(NOTE_MS, over)
  }
}

/** Resolves with the work, or without it once it has taken too long. */
async function overWithin(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const waited = Promise.withResolvers<void>()
  const deadline = setTimeout(waited.resolve, milliseconds)
  await Promise.race([work, waited.promise])
  clearTimeout(deadline)
}
