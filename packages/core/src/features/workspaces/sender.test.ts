import { expect, test } from 'vitest'
import { OFFER, setUpOffers } from '../../../test/deal-with-offers.ts'
import { catchFieldErrors, catchRejection } from '../../../test/harness.ts'

test('the sender is changed field by field, needs a name, and is taken away by null', async () => {
  const { crm, owner, admin, otherOwner } = await setUpOffers()
  const update = async (sender: object | null) =>
    (await crm.workspace.update(owner, { sender } as never)).sender
  expect(await update({ address: 'Rua 1\nSão Paulo', tax_id: ' 45.723 ' })).toEqual({
    ...{ legal_name: 'Acme Ltda.', tax_id: '45.723', address: 'Rua 1\nSão Paulo' },
    ...{ email: 'sales@acme.example', logo_url: null },
  })
  expect(await update({ email: null })).toMatchObject({ email: null, tax_id: '45.723' })
  expect(await update(null)).toBeNull()
  expect(await catchFieldErrors(update({ email: 'a@acme.example' }))).toEqual({
    'sender.legal_name': 'Required.',
  })
  const wrong = { legal_name: '', tax_id: 'x'.repeat(41), address: '\ud800', email: 'x', logo: 7, name: 'x' }
  expect(Object.keys(await catchFieldErrors(update(wrong)))).toEqual(
    ['legal_name', 'tax_id', 'address', 'email', 'logo', 'name'].map((name) => `sender.${name}`),
  )
  expect((await crm.workspace.get(otherOwner)).sender).toBeNull()
  const byAdmin = crm.workspace.update(admin, { sender: { legal_name: 'Acme' } })
  expect(await catchRejection(byAdmin)).toMatchObject({ code: 'forbidden' })
})

test('a logo is a file, which stays as long as an offer shows it', async () => {
  const { crm, owner, deal, offers, printed, storage } = await setUpOffers()
  const update = async (logo: string | null) =>
    (await crm.workspace.update(owner, { sender: { logo } })).sender!.logo_url
  const files = () => storage.read((tx) => tx.workspace(owner.workspaceId).files.find([]))
  const contents = async () => (await files()).map(({ content }) => content)
  const first = await update('one')
  expect(first).toMatch(/^https:\/\/crm\.example\/files\//)
  expect(await update('two')).not.toBe(first)
  expect(await contents()).toEqual(['two'])
  const { id } = await offers.create(owner, deal.id, OFFER)
  expect(await update('three')).not.toBeNull()
  expect(await contents()).toEqual(['two', 'three'])
  await offers.print(owner, deal.id, id)
  expect(printed).toMatchObject([{ logo: 'two' }])
  expect(await update(null)).toBeNull()
  expect(await contents()).toEqual(['two'])
  expect(await catchFieldErrors(update(''))).toEqual({ 'sender.logo': 'Must not be empty.' })
})
