import type { OutgoingMail } from '@sales-crm/core'
import type { Service } from './test-service.ts'

/** The letters to an address that wait to be sent, oldest first. Others lie in the same database, and none is taken away. */
export async function queuedMailTo(
  { ports }: Pick<Service, 'ports'>,
  email: string,
): Promise<readonly OutgoingMail[]> {
  const { storage, secrets } = ports
  const queued = await storage.read(({ queued_mail }) => queued_mail.find([]))
  return queued.flatMap(({ id, sealed }) => {
    const letter = decryptMail(secrets, id, sealed)
    return letter?.to === email ? [letter] : []
  })
}

/** The paths of the links in the letters to an address, the oldest first. */
export async function mailLinksTo(
  service: Pick<Service, 'ports'>,
  email: string,
): Promise<readonly string[]> {
  const letters = await queuedMailTo(service, email)
  return letters.flatMap((letter) => ('link' in letter ? [new URL(letter.link).pathname] : []))
}

/** Nothing for a letter of a service with another key. */
function decryptMail(secrets: Service['ports']['secrets'], id: string, sealed: string): OutgoingMail | null {
  try {
    return JSON.parse(
      decodeURIComponent(Buffer.from(secrets.open(sealed, `letter ${id}`)).toString('latin1')),
    )
  } catch {
    return null
  }
}
