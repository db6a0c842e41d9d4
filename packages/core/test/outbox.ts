import type { Letter } from '../src/letters/letter.ts'
import { post } from '../src/letters/outbox.ts'
import { type Office, office } from './harness.ts'

export const EXPIRES = '2026-03-01T13:00:00.000Z'
export const LETTER = {
  kind: 'password_reset',
  to: 'ann@acme.example',
  language: 'pt-BR',
  name: 'Ann',
  link: 'https://crm.example/reset/crm_ln_5ec1e7',
  address: '192.0.2.7',
} as const satisfies Letter
export const REFUSED = new Error('451 try later')

/** An office with a letter that waits. */
export async function posted(letter: Letter | undefined = LETTER, expires_at = EXPIRES) {
  const base = await office()
  await postTo(base, letter, expires_at)
  return base
}

export function postTo({ ports, clock, storage }: Office, letter: Letter | undefined, expires_at = EXPIRES): Promise<void> {
  return storage.transact((tx) => post(tx, ports, letter, { at: clock.now(), expires_at }))
}

export const stored = ({ storage }: Pick<Office, 'storage'>) => storage.read((tx) => tx.letters.find([]))

export function mailbox() {
  const sent: Letter[] = []
  const send = async (letter: Letter) => {
    sent.push(letter)
  }
  return { sent, send }
}

export async function refusing(): Promise<void> {
  throw REFUSED
}
