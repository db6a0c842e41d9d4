import { products } from '@sales-crm/core'
import type { Ports, Records } from '@sales-crm/core/ports'
import { findable } from './associated.ts'
import { timesBefore } from './making.ts'

type Product = Records['products']
type Offer = Pick<Product, 'code' | 'name' | 'currency' | 'price_cts' | 'billing_cycle' | 'is_active' | 'description'>

function offer(
  code: string,
  name: string,
  [currency, price_cts]: readonly ['BRL' | 'USD', number],
  billing_cycle: Product['billing_cycle'],
  description: string | null = null,
): Offer {
  return { code, name, currency, price_cts, billing_cycle, description, is_active: true }
}

const OFFERS: readonly Offer[] = [
  offer('LIC-BR-M', 'Licença mensal', ['BRL', 8_900], 'monthly', 'Por usuário, sem fidelidade.'),
  offer('LIC-BR-A', 'Licença anual', ['BRL', 89_000], 'annually', 'Por usuário, com dois meses de desconto.'),
  offer('SUP-BR-T', 'Suporte premium', ['BRL', 240_000], 'quarterly', 'Resposta em até uma hora, todos os dias.'),
  offer('IMP-BR', 'Implantação', ['BRL', 1_250_000], 'one_time'),
  offer('TRN-BR', 'Treinamento da equipe', ['BRL', 380_000], 'one_time', 'Um dia, para até vinte pessoas.'),
  { ...offer('LIC-BR-2', 'Licença dupla', ['BRL', 14_900], 'monthly'), is_active: false },
  offer('LIC-US-M', 'Monthly licence', ['USD', 2_500], 'monthly', 'For each user, cancelled at any time.'),
  offer('LIC-US-A', 'Annual licence', ['USD', 25_000], 'annually', 'For each user, two months of it free.'),
  offer('SUP-US-T', 'Premium support', ['USD', 60_000], 'quarterly', 'An answer within the hour, every day.'),
  offer('ONB-US', 'Onboarding', ['USD', 320_000], 'one_time'),
  offer('TRN-US', 'Team training', ['USD', 95_000], 'one_time', 'A day, for up to twenty people.'),
  { ...offer('ARC-US', 'Data archive', ['USD', 12_000], 'annually', 'No longer sold.'), is_active: false },
]

/** A workspace without a product gets a dozen. */
export async function productsOrFirst(
  { storage, newId, now }: Pick<Ports, 'storage' | 'newId' | 'now'>,
  workspaceId: string,
): Promise<void> {
  const at = Date.parse(now())
  await storage.transact(async (tx) => {
    const store = tx.workspace(workspaceId).products
    if (await store.has([])) return
    const first = OFFERS.map((each, index) => ({ id: newId(), ...each, image_key: null, found_by: '', ...timesBefore(at, index) }))
    await store.insertMany(first.map((product) => findable(products, product)))
  })
}
