import type { Crm, OutgoingMail } from '../src/index.ts'

/** Sends every due mail and returns them in order. */
export async function sendAllMail(crm: Pick<Crm, 'mail'>): Promise<readonly OutgoingMail[]> {
  const sent: OutgoingMail[] = []
  let round: readonly unknown[]
  do {
    round = await crm.mail.send(async (mail) => {
      sent.push(mail)
    })
  } while (round.length > 0)
  return sent
}
