import { goodLink, newLink } from '../accounts/links.ts'
import { later, MINUTE } from '../instants.ts'
import type { From, Letter } from '../letters/letter.ts'
import { post } from '../letters/outbox.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import type { App } from './app.ts'
import { secretText } from './secret-text.ts'

const LINK_SECONDS = 15 * MINUTE

/** Mails the app's owner a link to its secret, in the transaction of what causes it. */
export async function postCredentials(
  tx: Transaction,
  ports: Pick<Ports, 'issuer' | 'newId' | 'random' | 'secrets'>,
  app: App & { readonly email: string },
  kind: Extract<Letter['kind'], 'app_registered' | 'app_rotated'>,
  { address, language }: From,
  at: Instant,
): Promise<void> {
  const life = { at, expires_at: later(at, LINK_SECONDS) }
  const token = await newLink(tx, ports, { purpose: 'credentials', subject_id: app.id }, life)
  const link = `${ports.issuer}/credentials/${token}`
  await post(tx, ports, { kind, to: app.email, language, app_name: app.name, client_id: app.id, link, address }, life)
}

/** The app whose secret a mailed link is good for; `undefined` when it is good for nothing. Changes nothing. */
export async function appOfLink(ports: Ports, token: string): Promise<{ readonly client_id: string; readonly name: string } | undefined> {
  const app = await ports.storage.read(async (tx) => {
    const link = await goodLink(tx, ports, { purpose: 'credentials', token })
    return link && (await tx.apps.get(link.subject_id))
  })
  return app && { client_id: app.id, name: app.name }
}

/** Makes the secret, once, and the app active. `undefined` when the link is good for nothing. */
export async function takeSecret(
  ports: Ports,
  token: string,
): Promise<{ readonly client_id: string; readonly name: string; readonly client_secret: string } | undefined> {
  const { storage, secrets, now, random } = ports
  return storage.transact(async (tx) => {
    const seen = await goodLink(tx, ports, { purpose: 'credentials', token })
    // The app is held before its link, as rotating holds them: so neither waits for the other in a circle.
    const app = seen && (await tx.apps.getForUpdate(seen.subject_id))
    const link = app && (await goodLink(tx, ports, { purpose: 'credentials', token }, 'getForUpdate'))
    if (!link) return undefined
    const client_secret = secretText(random)
    await tx.links.erase(link.id)
    await tx.apps.update({ ...app, secret_hash: secrets.hash(client_secret), active: true, updated_at: now() }, app)
    return { client_id: app.id, name: app.name, client_secret }
  })
}
