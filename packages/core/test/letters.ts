import type { Crm, Letter } from '../src/index.ts'

/** Every letter that is due, sent. */
export async function lettersOf(crm: Pick<Crm, 'letters'>): Promise<readonly Letter[]> {
  const sent: Letter[] = []
  let round: readonly unknown[]
  do {
    round = await crm.letters.send(async (letter) => {
      sent.push(letter)
    })
  } while (round.length > 0)
  return sent
}
