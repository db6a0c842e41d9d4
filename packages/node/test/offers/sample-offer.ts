import type { PrintableOffer } from '@sales-crm/core/ports'

const NOTHING = { net_cts: 0, tax_cts: 0, gross_cts: 0 }

export const ITEM: PrintableOffer['items'][number] = {
  ...{ name: 'Plano Equipe, por usuário', code: 'EQ-01', description: 'licenças da matriz', quantity: 60 },
  ...{ unit_price_cts: 150_000, discount: { percent: 10 }, tax_rate: 2.9, billing_cycle: 'annually' },
  ...{ total_cts: 8_100_000, tax_cts: 234_900 },
}

export const OFFER: PrintableOffer = {
  ...{ number: '2026-0147', title: 'Licenças anuais 2027', date: '2026-11-24', valid_until: '2026-12-24' },
  ...{ language: 'pt-BR', notes: null, currency: 'BRL', logo: null, created_at: '2026-11-24T12:00:00.000Z' },
  sender: {
    ...{ legal_name: 'Aurora Sistemas Ltda.', tax_id: '45.723.120/0001-10' },
    ...{ address: 'Rua das Palmeiras, 480\nSão Paulo, SP', email: 'vendas@aurora.example' },
  },
  recipient: {
    ...{ company_name: 'Pampa Consultoria', person_name: 'Vitória Silveira Barbosa' },
    email: 'vitoria.barbosa@pampa.example',
  },
  items: [
    ITEM,
    {
      ...{
        ...ITEM,
        name: 'Integração com ERP',
        code: null,
        description: null,
        quantity: 12.5,
        tax_rate: null,
      },
      ...{ billing_cycle: 'one_time', discount: { amount_cts: 50_000 }, total_cts: 900_000, tax_cts: 0 },
    },
  ],
  totals: {
    ...{ monthly: NOTHING, quarterly: NOTHING },
    one_time: { net_cts: 900_000, tax_cts: 0, gross_cts: 900_000 },
    annually: { net_cts: 8_100_000, tax_cts: 234_900, gross_cts: 8_334_900 },
    first_year: { net_cts: 9_000_000, tax_cts: 234_900, gross_cts: 9_234_900 },
  },
}
