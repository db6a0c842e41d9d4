import type { Crm, OutgoingMail } from '@sales-crm/core'
import type { Mailer } from '@sales-crm/node'
import type { Logger } from 'pino'
import { serializeError } from '../http/errors.ts'
import { renderMail } from './mail/render-mail.ts'

const INTERVAL_MS = 1_000
/** As many as a mailer has connections: a mail that hangs holds up one of them, and the others go on. */
const CONCURRENCY = 2
/** What is under way when the service stops gets this long, and then this long to note that it failed. Together less than ten seconds. */
const STOP_MS = 7_000
const SAVE_MS = 2_000

/**
 * Sends the letters that are due: two senders, each with one round a second and one letter at a time. Neither whom they are for nor what
 * stands in them is logged.
 * @returns what ends it: no further letter is begun, and one that is not sent within seconds is sent after the next start
 */
export function startMailWorker(
  crm: { readonly mail: Pick<Crm['mail'], 'send'> },
  mailer: Mailer,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): () => Promise<void> {
  let stopped = false
  let failing = false
  const senders = Array.from({ length: CONCURRENCY }, startSender)

  /** @returns what ends it, once a round under way is over */
  function startSender(): () => Promise<void> {
    let round = Promise.resolve()
    let timer = setTimeout(begin, INTERVAL_MS)

    function begin(): void {
      round = sendDue().then(() => {
        if (!stopped) timer = setTimeout(begin, INTERVAL_MS)
      })
    }

    return () => {
      clearTimeout(timer)
      return round
    }
  }

  async function sendDue(): Promise<void> {
    try {
      for (const { kind, attempts, failure, retryAt: again } of await crm.mail.send(
        sendMail,
        () => !stopped,
      )) {
        if (failure === undefined) continue
        const err = serializeError(failure)
        if (again === undefined)
          log.error({ kind, attempts, err }, 'A mail could not be sent, and is given up.')
        else
          log.warn(
            { kind, attempts, again, err: { ...err, stack: undefined } },
            'A mail could not be sent. It is tried again.',
          )
      }
      if (failing) log.info('Mail is looked for again.')
      failing = false
    } catch (error) {
      // Said once: it is tried again every second.
      if (!failing && !stopped)
        log.error(
          { err: serializeError(error) },
          'Looking for mail to send failed. It is tried again until it works.',
        )
      failing = true
    }
  }

  async function sendMail(letter: OutgoingMail): Promise<void> {
    const { file } = await mailer.send(renderMail(letter))
    log.info({ kind: letter.kind, file }, file === undefined ? 'A mail was sent.' : 'A mail was written.')
  }

  return async () => {
    stopped = true
    const finished = Promise.all(senders.map((end) => end()))
    await waitAtMost(STOP_MS, finished)
    await mailer.close()
    await waitAtMost(SAVE_MS, finished)
  }
}

/** Resolves with the work, or without it once it has taken too long. */
async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const deadline = setTimeout(timeout.resolve, milliseconds)
  await Promise.race([work, timeout.promise])
  clearTimeout(deadline)
}
