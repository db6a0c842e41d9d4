import type { Mail, Mailer } from '@sales-crm/node'
import { vi } from 'vitest'
import type { Service } from './test-service.ts'

export const SECOND = 1_000
const FROM = { address: '203.0.113.7', language: 'en' }

/** Creates a mailer that calls `send`, records what it sent and counts the calls of `close`. */
export function createFakeMailer(
  send: (mail: Mail) => Promise<{ readonly file?: string }> = async () => ({}),
) {
  const sent: Mail[] = []
  let closes = 0
  const mailer: Mailer = {
    async send(mail) {
      const result = await send(mail)
      sent.push(mail)
      return result
    },
    async close() {
      closes += 1
    },
  }
  return { mailer, sent, closeCount: () => closes }
}

export function createLogRecorder() {
  const entries: { level: string; fields: unknown; message: unknown }[] = []
  const record = (level: string) => (fields: unknown, message?: unknown) =>
    void entries.push(
      typeof fields === 'string' ? { level, fields: {}, message: fields } : { level, fields, message },
    )
  return { logEntries: entries, log: { info: record('info'), warn: record('warn'), error: record('error') } }
}

export const registerApp = ({ crm }: Service, email = 'dev@acme.example') =>
  crm.oauth.registerApp(
    { name: 'Acme Sync', email, redirect_uris: ['https://app.example/cb'], scopes: ['tasks:read'] },
    FROM,
  )

/** Advances the timers by `count` rounds of the mail worker. */
export async function runRounds(count: number) {
  for (let round = 0; round < count; round += 1) await vi.advanceTimersByTimeAsync(SECOND)
}

/** Creates a mailer whose sends end when the test says so. `started` holds the sends in order. */
export function createSlowMailer() {
  const started: { readonly to: string; readonly end: (result: 'sent' | 'failed') => void }[] = []
  const fakeMailer = createFakeMailer(({ to }) => {
    const { promise, resolve, reject } = Promise.withResolvers<object>()
    started.push({
      to,
      end: (result) =>
        result === 'sent' ? resolve({}) : reject(new Error('Mail server mail.example:25: closed')),
    })
    return promise
  })
  return { ...fakeMailer, started }
}

/** Registers apps a second apart on the service's clock, which fixes the order of their mail. */
export async function registerApps(service: Service, ...names: readonly string[]) {
  for (const name of names) {
    await registerApp(service, `${name}@acme.example`)
    service.advanceClock(SECOND)
  }
}

/** Returns the queue's rows of mail not sent yet. */
export function listQueuedMail({
  ports,
}: Service): Promise<readonly { readonly attempts: number; readonly due_at: string }[]> {
  return ports.storage.read(({ queued_mail }) => queued_mail.find([]))
}
