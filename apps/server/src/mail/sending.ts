import type { Crm, Letter } from '@sales-crm/core'
import type { Mailer } from '@sales-crm/node'
import type { Logger } from 'pino'
import { failureOf } from '../errors.ts'
import { renderLetter } from './render.ts'

const EVERY_MS = 1_000
/** What is under way when the service stops gets this long. */
const STOP_MS = 10_000

/**
 * Sends the letters that are due, one round a second and one at a time. Neither whom they are for nor what stands in them is logged.
 * @returns what ends it, once a round under way is over or ten seconds have passed: what was not sent then is sent after the next start
 */
export function startSending(
  crm: { readonly letters: Pick<Crm['letters'], 'send'> },
  mailer: Mailer,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): () => Promise<void> {
  let stopped = false
  let failing = false
  let round = Promise.resolve()
  let timer = setTimeout(begin, EVERY_MS)

  function begin(): void {
    round = sendDue().then(() => {
      if (!stopped) timer = setTimeout(begin, EVERY_MS)
    })
  }

  async function sendDue(): Promise<void> {
    try {
      for (const { kind, attempts, failure, again } of await crm.letters.send(sendOne)) {
        if (failure === undefined) continue
        const told = { kind, attempts, again, err: failureOf(failure) }
        if (again === undefined) log.error(told, 'A mail could not be sent, and is given up.')
        else log.warn(told, 'A mail could not be sent. It is tried again.')
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
    clearTimeout(timer)
    const waited = Promise.withResolvers<void>()
    const deadline = setTimeout(waited.resolve, STOP_MS)
    await Promise.race([round, waited.promise])
    clearTimeout(deadline)
    await mailer.close()
  }
}
