import type { Link } from '../accounts/link.ts'
import { later, MINUTE } from '../instants.ts'
import type { From, Letter } from '../letters/letter.ts'
import { post } from '../letters/outbox.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import type { App } from './app.ts'
import { idsInHandle, newHandle } from './handle.ts'
import { secretText } from './secret-text.ts'

const PREFIX = 'crm_ln_'
const LINK_SECONDS = 15 * MINUTE

/** Mails the app's owner a link to its secret, in the transaction of what causes it. */
export async function postCredentials(
  tx: Transaction,
  { issuer, newId, random, secrets }: Pick<Ports, 'issuer' | 'newId' | 'random' | 'secrets'>,
  app: App,
  kind: Extract<Letter['kind'], 'app_registered' | 'app_rotated'>,
  { address, language }: From,
  at: Instant,
): Promise<void> {
  const id = newId()
  const token = newHandle(PREFIX, [id], random)
  const expires_at = later(at, LINK_SECONDS)
  const common = { id, expires_at, created_at: at, updated_at: at }
  await tx.links.insert({ ...common, purpose: 'credentials', subject_id: app.id, token_hash: secrets.hash(token) })
  const link = `${issuer}/credentials/${token}`
  const letter: Letter = { kind, to: app.email, language, app_name: app.name, client_id: app.id, link, address }
  await post(tx, { secrets, newId }, letter, { at, expires_at })
}

/** The links that were mailed before are good for nothing from now on. For whoever holds the app. */
export async function dropCredentials(tx: Transaction, app: App): Promise<void> {
  const links = await tx.links.find([
    { field: 'subject_id', is: app.id },
    { field: 'purpose', is: 'credentials' },
  ])
  for (const { id } of links) await tx.links.erase(id)
}

/** The app whose secret a mailed link is good for; `undefined` when it is good for nothing. Changes nothing. */
export async function appOfLink(ports: Ports, token: string): Promise<{ readonly client_id: string; readonly name: string } | undefined> {
  const app = await ports.storage.read(async (tx) => {
    const link = await goodLink(tx, ports, token, 'get')
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
    const seen = await goodLink(tx, ports, token, 'get')
    // The app is held before its link, as rotating holds them: so neither waits for the other in a circle.
    const app = seen && (await tx.apps.getForUpdate(seen.subject_id))
    const link = app && (await goodLink(tx, ports, token, 'getForUpdate'))
    if (!link) return undefined
    const client_secret = secretText(random)
    await tx.links.erase(link.id)
    await tx.apps.update({ ...app, secret_hash: secrets.hash(client_secret), active: true, updated_at: now() }, app)
    return { client_id: app.id, name: app.name, client_secret }
  })
}

async function goodLink(
  { links }: Transaction,
  { secrets, now }: Pick<Ports, 'secrets' | 'now'>,
  token: string,
  how: 'get' | 'getForUpdate',
): Promise<Link | undefined> {
  const [id] = idsInHandle(PREFIX, 1, token) ?? []
  const link = id === undefined ? undefined : await links[how](id)
  const good = link && link.purpose === 'credentials' && secrets.matches(token, link.token_hash) && link.expires_at > now()
  return good ? link : undefined
}
