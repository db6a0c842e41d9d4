import { addSeconds, type Instant, MINUTE } from '../../../kernel/instant.ts'
import { randomHex } from '../../../kernel/random-hex.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Transaction } from '../../../ports/storage.ts'
import type { App } from '../../../schema/app.ts'
import { createLink, findValidLink } from '../../accounts/one-time-links.ts'
import { enqueueMail } from '../../mail/mail-queue.ts'
import type { OutgoingMail, RequestOrigin } from '../../mail/outgoing-mail.ts'

const LINK_SECONDS = 15 * MINUTE

/** Mails the app's owner a link to its secret, in the transaction of what causes it. */
export async function mailCredentialsLink(
  tx: Transaction,
  ports: Pick<Ports, 'issuer' | 'newId' | 'random' | 'secrets'>,
  app: App & { readonly email: string },
  kind: Extract<OutgoingMail['kind'], 'app_registered' | 'app_rotated'>,
  { address, language }: RequestOrigin,
  at: Instant,
): Promise<void> {
  const lifetime = { at, expires_at: addSeconds(at, LINK_SECONDS) }
  const token = await createLink(tx, ports, { purpose: 'credentials', subject_id: app.id }, lifetime)
  const link = `${ports.issuer}/credentials/${token}`
  await enqueueMail(
    tx,
    ports,
    { kind, to: app.email, language, app_name: app.name, client_id: app.id, link, address },
    lifetime,
  )
}

/** The app whose secret a mailed link is good for; `undefined` when it is good for nothing. Changes nothing. */
export async function findAppByLink(
  ports: Ports,
  token: string,
): Promise<{ readonly client_id: string; readonly name: string } | undefined> {
  const app = await ports.storage.read(async (tx) => {
    const link = await findValidLink(tx, ports, { purpose: 'credentials', token })
    return link && (await tx.apps.get(link.subject_id))
  })
  return app && { client_id: app.id, name: app.name }
}

/** Makes the secret, once, and the app active. `undefined` when the link is good for nothing. */
export async function issueSecret(
  ports: Ports,
  token: string,
): Promise<
  { readonly client_id: string; readonly name: string; readonly client_secret: string } | undefined
> {
  const { storage, secrets, now, random } = ports
  return storage.transact(async (tx) => {
    const unlocked = await findValidLink(tx, ports, { purpose: 'credentials', token })
    // The app is held before its link, as rotating holds them: so neither waits for the other in a circle.
    const app = unlocked && (await tx.apps.getForUpdate(unlocked.subject_id))
    const link = app && (await findValidLink(tx, ports, { purpose: 'credentials', token }, 'getForUpdate'))
    if (!link) return undefined
    const client_secret = randomHex(random)
    await tx.one_time_links.hardDelete(link.id)
    await tx.apps.update(
      { ...app, secret_hash: secrets.hash(client_secret), active: true, updated_at: now() },
      app,
    )
    return { client_id: app.id, name: app.name, client_secret }
  })
}
