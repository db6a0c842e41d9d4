import type { Crm, UserSession } from '../src/index.ts'
import type { Storage } from '../src/ports/storage.ts'
import { sendAllMail } from './mail.ts'

export const ORIGIN = { address: '203.0.113.7', language: 'pt-BR' }
export const OTHER_ORIGIN = { address: '198.51.100.4', language: 'en' }

interface TestBase {
  readonly crm: Crm
  readonly storage: Storage
}

/** Sets the password of the user directly in the storage. */
export async function setTestPassword(
  { storage }: Pick<TestBase, 'storage'>,
  email: string,
  password: string,
): Promise<void> {
  await storage.transact(async ({ users }) => {
    const [user] = await users.find([{ field: 'email', is: email }])
    await users.update({ ...user!, password_hash: `hash of ${password}` })
  })
}

/**
 * Signs in a user with the password `correct horse`; returns the signed-in user and the token of the new session.
 */
export async function signInTestUser(
  base: TestBase,
  email: string,
): Promise<{ readonly userSession: UserSession; readonly token: string }> {
  await setTestPassword(base, email, 'correct horse')
  const { token } = (await base.crm.accounts.signIn({ email, password: 'correct horse' }, OTHER_ORIGIN))!
  return { userSession: (await base.crm.accounts.userSession(token))!, token }
}

/**
 * Returns the token at the end of the link in the only due mail.
 * @throws Error if there is not exactly one
 */
export async function readMailedToken(base: Pick<TestBase, 'crm'>): Promise<string> {
  const [mail, ...others] = await sendAllMail(base.crm)
  if (!mail || !('link' in mail) || others.length > 0) throw new Error('Expected one mail with a link.')
  return mail.link.slice(mail.link.lastIndexOf('/') + 1)
}

export function runTwenty<T>(work: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 20 }, work))
}
