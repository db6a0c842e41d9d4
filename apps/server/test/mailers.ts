import type { Mail, Mailer } from '@sales-crm/node'
import { vi } from 'vitest'
import type { Service } from './harness.ts'

export const SECOND = 1_000
const FROM = { address: '203.0.113.7', language: 'en' }

/** A mailer that does what `send` says, keeps what it sent, and knows whether it was closed. */
export function mailerThat(send: (mail: Mail) => Promise<{ readonly file?: string }> = async () => ({})) {
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

export function logOf() {
  const told: { level: string; fields: unknown; message: unknown }[] = []
  const at = (level: string) => (fields: unknown, message?: unknown) =>
    void told.push(typeof fields === 'string' ? { level, fields: {}, message: fields } : { level, fields, message })
  return { told, log: { info: at('info'), warn: at('warn'), error: at('error') } }
}

export const register = ({ crm }: Service, email = 'dev@acme.example') =>
  crm.oauth.registerApp({ name: 'Acme Sync', email, redirect_uris: ['https://app.example/cb'], scopes: ['tasks:read'] }, FROM)

/** Lets `rounds` rounds go by. */
export async function rounds(count: number) {
  for (let round = 0; round < count; round += 1) await vi.advanceTimersByTimeAsync(SECOND)
}

/** A mailer that takes as long as a test likes, and knows how many it has begun. */
export function mailerThatWaits() {
  const begun: { readonly to: string; readonly end: (fate: 'sent' | 'failed') => void }[] = []
  const hanging = mailerThat(({ to }) => {
    const { promise, resolve, reject } = Promise.withResolvers<object>()
    begun.push({ to, end: (fate) => (fate === 'sent' ? resolve({}) : reject(new Error('Mail server mail.example:25: closed'))) })
    return promise
  })
  return { ...hanging, begun }
}

/** One letter a second of the service's clock, so that each is due before the next. */
export async function registerAll(service: Service, ...names: readonly string[]) {
  for (const name of names) {
    await register(service, `${name}@acme.example`)
    service.pass(SECOND)
  }
}

/** What is kept of the letters that are not sent. */
export function waiting({ ports }: Service): Promise<readonly { readonly attempts: number; readonly due_at: string }[]> {
  return ports.storage.read(({ letters }) => letters.find([]))
}
