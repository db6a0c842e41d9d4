import type { Letter } from '@sales-crm/core'
import type { Service } from './harness.ts'

/** The letters to an address that wait to be sent, oldest first. Others lie in the same database, and none is taken away. */
export async function lettersTo({ ports }: Pick<Service, 'ports'>, email: string): Promise<readonly Letter[]> {
  const { storage, secrets } = ports
  const waiting = await storage.read(({ letters }) => letters.find([]))
  return waiting.flatMap(({ id, sealed }) => {
    const letter = opened(secrets, id, sealed)
    return letter?.to === email ? [letter] : []
  })
}

/** The paths of the links in the letters to an address, the oldest first. */
export async function linksTo(service: Pick<Service, 'ports'>, email: string): Promise<readonly string[]> {
  const letters = await lettersTo(service, email)
  return letters.flatMap((letter) => ('link' in letter ? [new URL(letter.link).pathname] : []))
}

/** Nothing for a letter of a service with another key. */
function opened(secrets: Service['ports']['secrets'], id: string, sealed: string): Letter | null {
  try {
    return JSON.parse(decodeURIComponent(Buffer.from(secrets.open(sealed, `letter ${id}`)).toString('latin1')))
  } catch {
    return null
  }
}
