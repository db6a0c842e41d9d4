import type { Crm, Visitor } from '../src/index.ts'
import type { Storage } from '../src/ports.ts'
import { lettersOf } from './letters.ts'

export const HERE = { address: '203.0.113.7', language: 'pt-BR' }
export const ELSEWHERE = { address: '198.51.100.4', language: 'en' }

interface Base {
  readonly crm: Crm
  readonly storage: Storage
}

/** As if they had set it themselves. */
export async function givePassword({ storage }: Pick<Base, 'storage'>, email: string, password: string): Promise<void> {
  await storage.transact(async ({ users }) => {
    const [user] = await users.find([{ field: 'email', is: email }])
    await users.update({ ...user!, password_hash: `hash of ${password}` })
  })
}

/** Someone with the password `correct horse`, and the token of a new session. */
export async function signedIn(base: Base, email: string): Promise<{ readonly visitor: Visitor; readonly token: string }> {
  await givePassword(base, email, 'correct horse')
  const { token } = (await base.crm.accounts.signIn({ email, password: 'correct horse' }, ELSEWHERE))!
  return { visitor: (await base.crm.accounts.visitor(token))!, token }
}

/** The end of the one link that is due. */
export async function linkFrom(base: Pick<Base, 'crm'>): Promise<string> {
  const [letter, ...more] = await lettersOf(base.crm)
  if (!letter || !('link' in letter) || more.length > 0) throw new Error('Expected one letter with a link.')
  return letter.link.slice(letter.link.lastIndexOf('/') + 1)
}

export function twenty<T>(work: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 20 }, work))
}
