import type { OutgoingMail } from '@sales-crm/core'
import type { Service } from './test-service.ts'

/**
 * Returns the queued mail to an address, oldest first. The queue is left unchanged, because tests share the
 * database.
 */
export async function queuedMailTo(
  { ports }: Pick<Service, 'ports'>,
  email: string,
): Promise<readonly OutgoingMail[]> {
  const { storage, secrets } = ports
  const queued = await storage.read(({ queued_mail }) => queued_mail.find([]))
  return queued.flatMap(({ id, sealed }) => {
    const mail = decryptMail(secrets, id, sealed)
    return mail?.to === email ? [mail] : []
  })
}

/** Returns the paths of the links in the queued mail to an address, oldest first. */
export async function mailLinksTo(
  service: Pick<Service, 'ports'>,
  email: string,
): Promise<readonly string[]> {
  const queue = await queuedMailTo(service, email)
  return queue.flatMap((mail) => ('link' in mail ? [new URL(mail.link).pathname] : []))
}

/** Returns null for mail that another service encrypted with a different key. */
function decryptMail(secrets: Service['ports']['secrets'], id: string, sealed: string): OutgoingMail | null {
  try {
    return JSON.parse(
      decodeURIComponent(Buffer.from(secrets.open(sealed, `letter ${id}`)).toString('latin1')),
    )
  } catch {
    return null
  }
}
