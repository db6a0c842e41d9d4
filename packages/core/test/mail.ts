import type { Crm, OutgoingMail } from '../src/index.ts'

/** Every letter that is due, sent. */
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
