import type { Mail, Mailer } from '@sales-crm/node'
import { vi } from 'vitest'
import type { Service } from './test-service.ts'

export const SECOND = 1_000
const FROM = { address: '203.0.113.7', language: 'en' }

/** A mailer that does what `send` says, keeps what it sent, and knows whether it was closed. */
export function createFakeMailer(
  send: (mail: Mail) => Promise<{ readonly file?: string }> = async () => ({}),
) {
  const sent: Mail[] = []
  let closed = 0
  const mailer: Mailer = {
    async send(mail) {
      const result = await send(mail)
      sent.push(mail)
      return result
    },
    async close() {
      closed += 1
    },
  }
  return { mailer, sent, closed: () => closed }
}

export function createLogRecorder() {
  const entries: { level: string; fields: unknown; message: unknown }[] = []
  const at = (level: string) => (fields: unknown, message?: unknown) =>
    void entries.push(
      typeof fields === 'string' ? { level, fields: {}, message: fields } : { level, fields, message },
    )
  return { told: entries, log: { info: at('info'), warn: at('warn'), error: at('error') } }
}

export const registerApp = ({ crm }: Service, email = 'dev@acme.example') =>
  crm.oauth.registerApp(
    { name: 'Acme Sync', email, redirect_uris: ['https://app.example/cb'], scopes: ['tasks:read'] },
    FROM,
  )

/** Lets `rounds` rounds go by. */
export async function runRounds(count: number) {
  for (let round = 0; round < count; round += 1) await vi.advanceTimersByTimeAsync(SECOND)
}

/** A mailer that takes as long as a test likes, and knows how many it has begun. */
export function createSlowMailer() {
  const started: { readonly to: string; readonly end: (fate: 'sent' | 'failed') => void }[] = []
  const hanging = createFakeMailer(({ to }) => {
    const { promise, resolve, reject } = Promise.withResolvers<object>()
    started.push({
      to,
      end: (fate) =>
        fate === 'sent' ? resolve({}) : reject(new Error('Mail server mail.example:25: closed')),
    })
    return promise
  })
  return { ...hanging, begun: started }
}

/** One letter a second of the service's clock, so that each is due before the next. */
export async function registerApps(service: Service, ...names: readonly string[]) {
  for (const name of names) {
    await registerApp(service, `${name}@acme.example`)
    service.advanceClock(SECOND)
  }
}

/** What is kept of the letters that are not sent. */
export function listQueuedMail({
  ports,
}: Service): Promise<readonly { readonly attempts: number; readonly due_at: string }[]> {
  return ports.storage.read(({ queued_mail }) => queued_mail.find([]))
}
