import { describe, expect, test } from 'vitest'
import { LINE } from '../../../test/deal-with-items.ts'
import { OFFER, setUpOffers } from '../../../test/deal-with-offers.ts'
import { catchFieldErrors, catchRejection, UNKNOWN_ID } from '../../../test/harness.ts'

describe('an offer', () => {
  test('shows what stood when it was made, whatever changes later', async () => {
    const { crm, owner, deal, items, offers, printed } = await setUpOffers()
    const [item] = (await items.list(owner, deal.id)).data
    const made = await offers.create(owner, deal.id, { ...OFFER, notes: 'Thanks' })
    expect(made).toMatchObject({
      ...{ number: '2026-0001', title: 'Chairs', date: '2026-03-01', valid_until: '2026-03-31' },
      ...{ language: 'pt-BR', notes: 'Thanks', currency: 'BRL', logo_url: null, link_created_at: null },
      sender: { legal_name: 'Acme Ltda.', tax_id: null, address: null, email: 'sales@acme.example' },
      recipient: { company_name: 'Pampa', person_name: 'Vitória', email: 'vitoria@pampa.example' },
      items: [{ name: 'Chair', quantity: 1, total_cts: 250, tax_cts: 0 }],
      ...{ opens: 0, created_by: { id: owner.userId } },
    })
    await items.update(owner, deal.id, item!.id, { name: 'Sofa', unit_price_cts: 999 })
    await crm.workspace.update(owner, { sender: { legal_name: 'New name' } })
    await crm.deals.update(owner, deal.id, { name: 'Sofas', person_id: null })
    expect(await offers.get(owner, deal.id, made.id.toUpperCase())).toEqual(made)
    const { filename } = await offers.print(owner, deal.id, made.id)
    expect(filename).toBe('Proposta 2026-0001 Chairs.pdf')
    expect(printed[0]).toMatchObject({ number: '2026-0001', sender: made.sender, items: made.items })
    const { items: _, ...listed } = made
    const next = await offers.create(owner, deal.id, { ...OFFER, language: 'en' })
    expect(next).toMatchObject({ number: '2026-0002', title: 'Sofas', sender: { legal_name: 'New name' } })
    expect((await offers.list(owner, deal.id))[1]).toEqual(listed)
  })

  test('takes its number from the year in the time zone of the workspace', async () => {
    const { crm, owner, deal, offers, clock } = await setUpOffers()
    const make = async () =>
      (await offers.create(owner, deal.id, { ...OFFER, valid_until: '2027-12-31' })).number
    expect([await make(), await make()]).toEqual(['2026-0001', '2026-0002'])
    clock.set('2027-01-01T02:00:00.000Z')
    expect(await make()).toBe('2027-0001')
    await crm.workspace.update(owner, { time_zone: 'America/Sao_Paulo' })
    expect(await make()).toBe('2026-0003')
  })

  test('is refused with all reasons at once, and takes no number', async () => {
    const { crm, owner, deal, items, offers } = await setUpOffers()
    const empty = await crm.deals.create(owner, { name: 'Empty' })
    await crm.workspace.update(owner, { sender: null })
    const input = { ...OFFER, valid_until: '2026-02-28', person_id: UNKNOWN_ID }
    expect(await catchFieldErrors(offers.create(owner, empty.id, input))).toEqual({
      valid_until: 'Must not be in the past.',
      person_id: 'Person not found.',
      items: 'The deal must have items.',
      sender: 'The workspace must have a sender.',
    })
    const wrong = { valid_until: '2026-02-30', language: 'de', notes: '\ud800', number: 'x' } as never
    expect(Object.keys(await catchFieldErrors(offers.create(owner, deal.id, wrong)))).toEqual([
      ...['valid_until', 'language', 'notes', 'number'],
    ])
    await crm.workspace.update(owner, { sender: { legal_name: 'Acme' } })
    expect((await items.list(owner, deal.id)).data).toHaveLength(1)
    const today = await offers.create(owner, deal.id, { ...OFFER, valid_until: '2026-03-01' })
    expect(today.number).toBe('2026-0001')
  })

  test('is one of at most 100 of a deal', async () => {
    const { owner, deal, offers } = await setUpOffers()
    for (let nth = 0; nth < 100; nth += 1) await offers.create(owner, deal.id, OFFER)
    expect(Object.keys(await catchFieldErrors(offers.create(owner, deal.id, OFFER)))).toEqual(['offers'])
    const [newest, ...others] = await offers.list(owner, deal.id)
    expect([newest!.number, others.length, others.at(-1)!.number]).toEqual(['2026-0100', 99, '2026-0001'])
  })

  test('is made for another person by its id, and once per key', async () => {
    const { crm, owner, ben, deal, offers } = await setUpOffers()
    const rafael = await crm.people.create(owner, { full_name: 'Rafael', owner_user_id: owner.userId })
    const made = await offers.create(owner, deal.id, { ...OFFER, person_id: rafael.id })
    expect(made.recipient).toEqual({
      company_name: 'Pampa',
      person_name: 'Rafael',
      email: 'hi@pampa.example',
    })
    const keyed = () => offers.createIdempotent(owner, 'k', deal.id, OFFER)
    const first = await keyed()
    expect(await keyed()).toEqual({ response: first.response, isReplay: true })
    expect(await offers.list(owner, deal.id)).toHaveLength(2)
    await crm.workspace.update(owner, { visibility: { people: 'owner' } })
    await crm.deals.update(owner, deal.id, { owner_user_id: ben.userId })
    const hidden = offers.create(ben, deal.id, { ...OFFER, person_id: rafael.id })
    expect(await catchFieldErrors(hidden)).toEqual({ person_id: 'Person not found.' })
  })
})

test('offers are those of a deal that the caller sees and may change', async () => {
  const { crm, owner, ann, ben, otherOwner, deal, offers } = await setUpOffers()
  const { id } = await offers.create(owner, deal.id, OFFER)
  const other = await crm.deals.create(owner, { name: 'Other' })
  await crm.deals.update(owner, deal.id, { owner_user_id: ann.userId })
  const writes = [
    () => offers.create(ben, deal.id, OFFER),
    () => offers.createLink(ben, deal.id, id),
    () => offers.removeLink(ben, deal.id, id),
  ]
  for (const write of writes) expect(await catchRejection(write)).toMatchObject({ code: 'forbidden' })
  expect(await offers.list(ben, deal.id)).toHaveLength(1)
  expect(await catchRejection(offers.get(owner, other.id, id))).toMatchObject({ message: 'Offer not found.' })
  const reads = (actor: typeof ben) => [
    () => offers.list(actor, deal.id),
    () => offers.get(actor, deal.id, id),
    () => offers.print(actor, deal.id, id),
  ]
  for (const read of reads(otherOwner))
    expect(await catchRejection(read)).toMatchObject({ code: 'not_found' })
  await crm.workspace.update(owner, { visibility: { deals: 'owner' } })
  for (const call of [...writes, ...reads(ben)])
    expect(await catchRejection(call)).toEqual({ code: 'not_found', message: 'Deal not found.' })
  await crm.deals.remove(owner, deal.id)
  for (const read of reads(owner)) expect(await catchRejection(read)).toMatchObject({ code: 'not_found' })
  const scopeless = { ...owner, scopes: new Set(['people:read']) }
  expect(await catchRejection(offers.list(scopeless, deal.id))).toMatchObject({ code: 'insufficient_scope' })
})

describe('a link', () => {
  test('opens the document without an actor, and counts it', async () => {
    const { owner, deal, offers, clock, link, storage } = await setUpOffers()
    const { token, id } = await link()
    expect(await offers.open(token)).toMatchObject({ filename: 'Proposta 2026-0001 Chairs.pdf' })
    clock.advance(60)
    await offers.open(token)
    await offers.open(token, false)
    expect(await offers.get(owner, deal.id, id)).toMatchObject({
      ...{
        opens: 2,
        last_opened_at: '2026-03-01T12:01:00.000Z',
        link_created_at: '2026-03-01T12:00:00.000Z',
      },
    })
    const stored = await storage.read((tx) => tx.workspace(owner.workspaceId).deal_offers.find([]))
    expect(JSON.stringify(stored)).not.toContain(token.slice(-64))
  })

  test('ends when it is revoked or replaced, with the last day of the offer, and with the deal', async () => {
    const { crm, owner, deal, offers, clock, link, printed } = await setUpOffers()
    const over = { document: null, language: 'pt-BR', email: 'sales@acme.example' }
    const { token, id } = await link()
    await offers.removeLink(owner, deal.id, id)
    await offers.removeLink(owner, deal.id, id)
    expect(await offers.open(token)).toEqual(over)
    const { token: second } = await link(id)
    expect(await offers.open(token)).toEqual({ document: null, language: null, email: null })
    expect(await offers.open(second)).toHaveProperty('filename')
    await crm.workspace.update(owner, { time_zone: 'America/Sao_Paulo' })
    clock.set('2026-04-01T02:59:59.000Z')
    expect(await offers.open(second)).toHaveProperty('filename')
    clock.set('2026-04-01T03:00:00.000Z')
    expect([await offers.open(second), await offers.open(second, false)]).toEqual([over, over])
    expect(await catchRejection(link(id))).toMatchObject({ code: 'conflict' })
    clock.set('2026-03-02T12:00:00.000Z')
    await crm.deals.remove(owner, deal.id)
    expect(await offers.open(second)).toEqual(over)
    expect(printed).toHaveLength(2)
  })

  test.each(['', 'crm_of_', `crm_of_${'0'.repeat(128)}`, '__proto__', '../x'])(
    'of %j is none',
    async (text) => {
      const { offers } = await setUpOffers()
      expect(await offers.open(text)).toEqual({ document: null, language: null, email: null })
    },
  )

  test('of one offer with the secret of another is none', async () => {
    const { offers, link } = await setUpOffers()
    const [first, second] = [await link(), await link()]
    const mixed = first.token.slice(0, -64) + second.token.slice(-64)
    expect(await offers.open(mixed)).toMatchObject({ document: null, language: null })
  })

  test('that is revoked while the document is made shows nothing', async () => {
    const { owner, deal, offers, link, onPrint } = await setUpOffers()
    const { token, id } = await link()
    onPrint(() => offers.removeLink(owner, deal.id, id))
    expect(await offers.open(token)).toMatchObject({ document: null, language: 'pt-BR' })
    expect(await offers.get(owner, deal.id, id)).toMatchObject({ opens: 0 })
  })
})

test('a line that is offered may be as long as items are', async () => {
  const { owner, deal, items, offers } = await setUpOffers()
  const lines = Array.from({ length: 500 }, () => ({ ...LINE, description: 'x'.repeat(1000) }))
  await items.replace(owner, deal.id, { items: lines })
  expect((await offers.create(owner, deal.id, OFFER)).items).toHaveLength(500)
})
