import type { PrintableOffer } from '../src/ports/index.ts'
import { LINE } from './deal-with-items.ts'
import { createTestCrm } from './harness.ts'

export const OFFER = { valid_until: '2026-03-31', language: 'pt-BR' } as const

/** A deal with an item, a person and a company, in a workspace with a sender. Documents are empty. */
export async function setUpOffers() {
  const printed: PrintableOffer[] = []
  let runBefore: () => Promise<unknown> = async () => undefined
  const base = await createTestCrm({
    async printOffer(offer) {
      printed.push(offer)
      await runBefore()
      return new Uint8Array()
    },
  })
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const company = await crm.companies.create(owner, {
    ...{ full_name: 'Pampa', emails: [{ email: 'hi@pampa.example' }] },
  })
  const person = await crm.people.create(owner, {
    ...{ full_name: 'Vitória', emails: [{ email: 'vitoria@pampa.example' }] },
  })
  const deal = await crm.deals.create(owner, {
    ...{ name: 'Chairs', currency: 'BRL', person_id: person.id, company_id: company.id },
  })
  const { items, offers } = crm.deals
  await items.create(owner, deal.id, LINE)
  await crm.workspace.update(owner, { sender: { legal_name: 'Acme Ltda.', email: 'sales@acme.example' } })
  return {
    ...base,
    ...{ deal, items, offers, printed },
    onPrint: (work: () => Promise<unknown>) => {
      runBefore = work
    },
    /** Makes an offer, or takes that of an id, and makes its link. */
    async link(offerId?: string) {
      const id = offerId ?? (await offers.create(owner, deal.id, OFFER)).id
      const { url } = await offers.createLink(owner, deal.id, id)
      return { id, url, token: url.slice('https://crm.example/offers/'.length) }
    },
  }
}
