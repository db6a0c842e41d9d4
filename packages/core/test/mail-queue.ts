import { enqueueMail } from '../src/features/mail/mail-queue.ts'
import type { OutgoingMail } from '../src/features/mail/outgoing-mail.ts'
import { createTestCrm, type TestCrm } from './harness.ts'

export const EXPIRES = '2026-03-01T13:00:00.000Z'
export const MAIL = {
  kind: 'password_reset',
  to: 'ann@acme.example',
  language: 'pt-BR',
  name: 'Ann',
  link: 'https://crm.example/reset/crm_ln_5ec1e7',
  address: '192.0.2.7',
} as const satisfies OutgoingMail
export const SEND_ERROR = new Error('451 try later')

/** Creates a workspace with one queued mail. */
export async function createQueuedMail(mail: OutgoingMail | undefined = MAIL, expires_at = EXPIRES) {
  const base = await createTestCrm()
  await enqueueTestMail(base, mail, expires_at)
  return base
}

export function enqueueTestMail(
  { ports, clock, storage }: TestCrm,
  mail: OutgoingMail | undefined,
  expires_at = EXPIRES,
): Promise<void> {
  return storage.transact((tx) => enqueueMail(tx, ports, mail, { at: clock.now(), expires_at }))
}

export const loadQueuedMail = ({ storage }: Pick<TestCrm, 'storage'>) =>
  storage.read((tx) => tx.queued_mail.find([]))

export function mailbox() {
  const sent: OutgoingMail[] = []
  const send = async (mail: OutgoingMail) => {
    sent.push(mail)
  }
  return { sent, send }
}

export async function failToSend(): Promise<void> {
  throw SEND_ERROR
}
