import { addSeconds, type Instant, MINUTE } from '../../../kernel/instant.ts'
import { randomHex } from '../../../kernel/random-hex.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Transaction } from '../../../ports/storage.ts'
import type { App } from '../../../schema/app.ts'
import { createLink, findValidLink } from '../../accounts/one-time-links.ts'
import { enqueueMail } from '../../mail/mail-queue.ts'
import type { OutgoingMail, RequestOrigin } from '../../mail/outgoing-mail.ts'

const LINK_SECONDS = 15 * MINUTE

/** Queues a mail to the app's owner with a link that issues a client secret, in the caller's transaction. */
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

/** Returns the app of a mailed link, or `undefined` if the link is invalid or expired. Changes nothing. */
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

/**
 * Issues a new secret, activates the app and deletes the link. Returns `undefined` if the link is invalid or
 * expired.
 */
export async function issueSecret(
  ports: Ports,
  token: string,
): Promise<
  { readonly client_id: string; readonly name: string; readonly client_secret: string } | undefined
> {
  const { storage, secrets, now, random } = ports
  return storage.transact(async (tx) => {
    const unlocked = await findValidLink(tx, ports, { purpose: 'credentials', token })
    // The app is locked before its link, in the same order as in `rotateApp`, to prevent deadlocks.
    const app = unlocked && (await tx.apps.getForUpdate(unlocked.subject_id))
    const link = app && (await findValidLink(tx, ports, { purpose: 'credentials', token }, 'getForUpdate'))
    if (!link) return undefined
    const client_secret = randomHex(random)
    await tx.one_time_links.hardDelete(link.id)
    await tx.apps.update({
      ...app,
      secret_hash: secrets.hash(client_secret),
      active: true,
      updated_at: now(),
    })
    return { client_id: app.id, name: app.name, client_secret }
  })
}
