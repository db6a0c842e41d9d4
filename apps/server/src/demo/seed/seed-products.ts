import { RESOURCES } from '@sales-crm/core/declarations'
import type { Ports, Records } from '@sales-crm/core/ports'
import { withSearchTerms } from './seed-associations.ts'
import { timesBeforeSpread } from './seed-context.ts'

const { products } = RESOURCES

type Product = Records['products']
type ProductSample = Pick<
  Product,
  'code' | 'name' | 'currency' | 'price_cts' | 'billing_cycle' | 'is_active' | 'description'
>

function productSample(
  code: string,
  name: string,
  [currency, price_cts]: readonly ['BRL' | 'USD', number],
  billing_cycle: Product['billing_cycle'],
  description: string | null = null,
): ProductSample {
  return { code, name, currency, price_cts, billing_cycle, description, is_active: true }
}

const SAMPLE_PRODUCTS: readonly ProductSample[] = [
  productSample('LIC-BR-M', 'Licença mensal', ['BRL', 8_900], 'monthly', 'Por usuário, sem fidelidade.'),
  productSample(
    'LIC-BR-A',
    'Licença anual',
    ['BRL', 89_000],
    'annually',
    'Por usuário, com dois meses de desconto.',
  ),
  productSample(
    'SUP-BR-T',
    'Suporte premium',
    ['BRL', 240_000],
    'quarterly',
    'Resposta em até uma hora, todos os dias.',
  ),
  productSample('IMP-BR', 'Implantação', ['BRL', 1_250_000], 'one_time'),
  productSample(
    'TRN-BR',
    'Treinamento da equipe',
    ['BRL', 380_000],
    'one_time',
    'Um dia, para até vinte pessoas.',
  ),
  { ...productSample('LIC-BR-2', 'Licença dupla', ['BRL', 14_900], 'monthly'), is_active: false },
  productSample(
    'LIC-US-M',
    'Monthly licence',
    ['USD', 2_500],
    'monthly',
    'For each user, cancelled at any time.',
  ),
  productSample(
    'LIC-US-A',
    'Annual licence',
    ['USD', 25_000],
    'annually',
    'For each user, two months of it free.',
  ),
  productSample(
    'SUP-US-T',
    'Premium support',
    ['USD', 60_000],
    'quarterly',
    'An answer within the hour, every day.',
  ),
  productSample('ONB-US', 'Onboarding', ['USD', 320_000], 'one_time'),
  productSample('TRN-US', 'Team training', ['USD', 95_000], 'one_time', 'A day, for up to twenty people.'),
  {
    ...productSample('ARC-US', 'Data archive', ['USD', 12_000], 'annually', 'No longer sold.'),
    is_active: false,
  },
]

/** Creates a dozen products if the workspace has none. */
export async function ensureProducts(
  { storage, newId, now }: Pick<Ports, 'storage' | 'newId' | 'now'>,
  workspaceId: string,
): Promise<void> {
  const timestamp = Date.parse(now())
  await storage.transact(async (tx) => {
    const store = tx.workspace(workspaceId).products
    if (await store.has([])) return
    const samples = SAMPLE_PRODUCTS.map((each, index) => ({
      id: newId(),
      ...each,
      image_key: null,
      search_terms: '',
      ...timesBeforeSpread(timestamp, index),
    }))
    await store.insertMany(samples.map((product) => withSearchTerms(products, product)))
  })
}
