import type { Crm, OutgoingMail, SendResult } from '@sales-crm/core'
import type { Mailer } from '@sales-crm/node'
import { FailureLog } from '../observability/failure-log.ts'
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
  crm: { readonly mail: MailQueue },
  mailer: Mailer,
  log: ServiceLog,
): () => Promise<void> {
  const worker = new MailWorker(crm.mail, mailer, log)
  return () => worker.stop()
}

type MailQueue = Pick<Crm['mail'], 'send'>

class MailWorker {
  readonly #queue: MailQueue
  readonly #mailer: Mailer
  readonly #log: ServiceLog
  readonly #failures: FailureLog
  readonly #stopSenders: readonly (() => Promise<void>)[]
  #isStopped = false

  constructor(queue: MailQueue, mailer: Mailer, log: ServiceLog) {
    this.#queue = queue
    this.#mailer = mailer
    this.#log = log
    this.#failures = new FailureLog(log, {
      failure: 'Claiming mail failed. It will be retried until it succeeds.',
      recovery: 'Mail is being sent again.',
    })
    this.#stopSenders = Array.from({ length: CONCURRENCY }, () => startRounds(() => this.#sendDue()))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const finished = Promise.all(this.#stopSenders.map((stop) => stop()))
    await waitAtMost(STOP_MS, finished)
    await this.#mailer.close()
    await waitAtMost(SAVE_MS, finished)
  }

  async #sendDue(): Promise<void> {
    try {
      const results = await this.#queue.send(
        (mail) => this.#send(mail),
        () => !this.#isStopped,
      )
      for (const result of results) this.#logFailure(result)
      this.#failures.reportSuccess()
    } catch (error) {
      if (!this.#isStopped) this.#failures.reportFailure(error)
    }
  }

  async #send(mail: OutgoingMail): Promise<void> {
    const { file } = await this.#mailer.send(renderMail(mail))
    this.#log.info({ kind: mail.kind, file }, file === undefined ? 'A mail was sent.' : 'A mail was written.')
  }

  #logFailure({ kind, attempts, failure, retryAt }: SendResult): void {
    if (failure === undefined) return
    const err = serializeError(failure)
    if (retryAt === undefined)
      this.#log.error({ kind, attempts, err }, 'A mail could not be sent. No attempts are left.')
    else
      this.#log.warn(
        { kind, attempts, again: retryAt, err: { ...err, stack: undefined } },
        'A mail could not be sent. It will be retried.',
      )
  }
}

/**
 * Runs `work` an interval after its last run has ended.
 * @param work must not reject
 * @returns function that stops the rounds and waits for a running one
 */
function startRounds(work: () => Promise<void>): () => Promise<void> {
  let round = Promise.resolve()
  let isStopped = false
  let timer = setTimeout(startRound, INTERVAL_MS)

  function startRound(): void {
    round = work().then(() => {
      if (!isStopped) timer = setTimeout(startRound, INTERVAL_MS)
    })
  }

  return () => {
    isStopped = true
    clearTimeout(timer)
    return round
  }
}

/** Resolves when the work settles or the time is over. */
async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const deadline = setTimeout(timeout.resolve, milliseconds)
  await Promise.race([work, timeout.promise])
  clearTimeout(deadline)
}
