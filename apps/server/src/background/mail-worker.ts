import type { Crm, OutgoingMail } from '@sales-crm/core'
import type { Mailer } from '@sales-crm/node'
import { serializeError } from '../observability/redaction.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import { renderMail } from './mail/render-mail.ts'

const INTERVAL_MS = 1_000
/** Equals the mailer's number of connections, so that a mail that hangs blocks only one of them. */
const CONCURRENCY = 2
/**
 * Time for running sends at shutdown, and then for saving that they failed. Less than ten seconds together.
 */
const STOP_MS = 7_000
const SAVE_MS = 2_000

/**
 * Sends due mail with two senders. Each has one round a second and sends one mail at a time. Recipients and
 * contents are not logged.
 * @returns function that stops the worker: it starts no further mail, and a mail that is not sent within
 *   seconds is sent after the next start
 */
export function startMailWorker(
  crm: { readonly mail: Pick<Crm['mail'], 'send'> },
  mailer: Mailer,
  log: ServiceLog,
): () => Promise<void> {
  let isStopped = false
  let isFailing = false
  const senders = Array.from({ length: CONCURRENCY }, startSender)

  /** @returns function that stops the sender and waits for a running round */
  function startSender(): () => Promise<void> {
    let round = Promise.resolve()
    let timer = setTimeout(startRound, INTERVAL_MS)

    function startRound(): void {
      round = sendDue().then(() => {
        if (!isStopped) timer = setTimeout(startRound, INTERVAL_MS)
      })
    }

    return () => {
      clearTimeout(timer)
      return round
    }
  }

  async function sendDue(): Promise<void> {
    try {
      for (const { kind, attempts, failure, retryAt } of await crm.mail.send(sendMail, () => !isStopped)) {
        if (failure === undefined) continue
        const err = serializeError(failure)
        if (retryAt === undefined)
          log.error({ kind, attempts, err }, 'A mail could not be sent. No attempts are left.')
        else
          log.warn(
            { kind, attempts, again: retryAt, err: { ...err, stack: undefined } },
            'A mail could not be sent. It will be retried.',
          )
      }
      if (isFailing) log.info('Mail is being sent again.')
      isFailing = false
    } catch (error) {
      // Logged once, because it is retried every second.
      if (!isFailing && !isStopped)
        log.error(
          { err: serializeError(error) },
          'Claiming mail failed. It will be retried until it succeeds.',
        )
      isFailing = true
    }
  }

  async function sendMail(mail: OutgoingMail): Promise<void> {
    const { file } = await mailer.send(renderMail(mail))
    log.info({ kind: mail.kind, file }, file === undefined ? 'A mail was sent.' : 'A mail was written.')
  }

  return async () => {
    isStopped = true
    const finished = Promise.all(senders.map((stop) => stop()))
    await waitAtMost(STOP_MS, finished)
    await mailer.close()
    await waitAtMost(SAVE_MS, finished)
  }
}

/** Resolves when the work settles or the time is over. */
async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const deadline = setTimeout(timeout.resolve, milliseconds)
  await Promise.race([work, timeout.promise])
  clearTimeout(deadline)
}
