import { catchFieldErrors, createTestCrm } from './harness.ts'

export async function setUpDeal() {
  const base = await createTestCrm()
  const { crm, owner, storage } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const deal = await crm.deals.create(owner, { name: 'Chairs', currency: 'BRL' })
  const product = await crm.products.create(owner, {
    ...{ name: 'Plan', currency: 'BRL', price_cts: 1000, code: 'P-1', billing_cycle: 'monthly' },
  })
  const { items } = crm.deals
  return {
    ...{ ...base, deal, product, items },
    add: (input: object) => items.create(owner, deal.id, input),
    names: async () => (await items.list(owner, deal.id)).data.map(({ name }) => name),
    amount: async () => (await crm.deals.get(owner, deal.id)).amount,
    errorsOf: (input: object) => catchFieldErrors(items.create(owner, deal.id, input)),
    stored: () => storage.read((tx) => tx.workspace(owner.workspaceId).deal_items.find([])),
  }
}

export const LINE = { name: 'Chair', unit_price_cts: 250 }
