import type { PrintableOffer } from '@sales-crm/core/ports'
import fc from 'fast-check'
import { extractText } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { drawOffer } from '../../src/offers/draw-offer.ts'
import { buildImage } from '../files/sample-images.ts'
import { ITEM, OFFER } from './sample-offer.ts'

/** The text of each page, with plain spaces. */
async function readPages(offer: PrintableOffer): Promise<readonly string[]> {
  const { text } = await extractText(await drawOffer(offer))
  return text.map((page) => page.replaceAll(/[\u00a0\u202f]/g, ' '))
}

function itemsOf(count: number, item: Partial<typeof ITEM> = {}): PrintableOffer['items'] {
  return Array.from({ length: count }, (_, index) => ({ ...ITEM, name: `Item ${index}`, ...item }))
}

describe('the document of an offer', () => {
  test('has what the offer says, in its language', async () => {
    const [page = '', ...others] = await readPages({ ...OFFER, notes: 'Boleto\n\nou Pix.' })
    expect(others).toEqual([])
    for (const part of [
      ...['Proposta 2026-0147', 'Data 24/11/2026', 'Válida até 24/12/2026', 'Licenças anuais 2027'],
      ...['Aurora Sistemas Ltda.\n45.723.120/0001-10\nRua das Palmeiras, 480\nSão Paulo, SP', 'A/C Vitória'],
      'Plano Equipe, por usuário 60 1.500,00 10 % 2,9 % anual 81.000,00\nEQ-01 · licenças da matriz',
      'Integração com ERP 12,5 1.500,00 500,00 – único 9.000,00',
      'Por ano R$ 81.000,00 R$ 2.349,00 R$ 83.349,00',
      ...['Observações\nBoleto', 'ou Pix.', 'Página 1 de 1'],
    ])
      expect(page).toContain(part)
    const [english = ''] = await readPages({ ...OFFER, language: 'en' })
    for (const part of ['Valid until December 24, 2026', '1,500.00', 'R$83,349.00', 'Page 1 of 1'])
      expect(english).toContain(part)
  })

  test.each([
    ['JPY', '150.000', 'JP¥ 8.334.900'],
    ['KWD', '150,000', 'KWD 8.334,900'],
  ] as const)('has amounts with the decimals of %s', async (currency, price, total) => {
    const [page = ''] = await readPages({ ...OFFER, currency })
    expect(page).toContain(price)
    expect(page).toContain(total)
  })

  test('leaves out columns without values, and an unknown recipient', async () => {
    const items = itemsOf(1, { discount: null, tax_rate: null })
    const recipient = { company_name: null, person_name: null, email: null }
    const [page = ''] = await readPages({ ...OFFER, items, recipient })
    expect(page).not.toMatch(/Desconto|Imposto|Para/)
    const [person = ''] = await readPages({ ...OFFER, recipient: { ...recipient, person_name: 'Ana' } })
    expect(person).toContain('Para\nAna\n')
  })

  test('repeats its heads on each page, and has each line once', async () => {
    const pages = await readPages({ ...OFFER, items: itemsOf(100) })
    expect(pages.length).toBeGreaterThan(3)
    for (const [index, page] of pages.entries()) {
      expect(page).toMatch(/^Aurora Sistemas Ltda\. Proposta 2026-0147/)
      expect(page).toContain(`Página ${index + 1} de ${pages.length}`)
      if (page.includes('Item ')) expect(page).toContain('Descrição')
    }
    expect(pages.join().match(/Item \d+/g)).toEqual(itemsOf(100).map(({ name }) => name))
  })

  test('has its totals on one page, however many lines there are', async () => {
    for (let count = 12; count <= 22; count += 1) {
      const pages = await readPages({ ...OFFER, items: [...itemsOf(count), OFFER.items[1]!] })
      const withTotals = pages.filter((page) => /Subtotal|Pagamento único|Por ano/.test(page))
      expect(withTotals).toEqual([
        expect.stringMatching(/Subtotal Impostos Total\nPagamento único.*\nPor ano/),
      ])
    }
  })

  test('has the same bytes for the same offer', async () => {
    expect(await drawOffer(OFFER)).toEqual(await drawOffer(OFFER))
  })

  test('keeps long words, other scripts and broken text within its pages', async () => {
    const words = ['W'.repeat(255), 'Ελλάδα Привет', 'שלום עולם مرحبا', '😀漢字', '\ud800', 'a\r\n\tb', '']
    const items = words.map((name) => ({ ...ITEM, name, description: name.repeat(3) }))
    const pages = await readPages({
      ...OFFER,
      items,
      title: 'T'.repeat(120),
      notes: `${'n\n'.repeat(300)}end`,
    })
    const text = pages.join('')
    expect(text.match(/W/g)).toHaveLength(4 * 255)
    for (const word of ['Ελλάδα Привет', 'end']) expect(text).toContain(word)
  })

  test('is made of any text', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, text, fc.integer({ min: 0, max: 1e15 }), async (name, notes, amount) => {
        const item = { ...ITEM, name, description: notes, unit_price_cts: amount, total_cts: amount }
        const bytes = await drawOffer({ ...OFFER, title: name, notes, items: [item] })
        expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
      }),
      { numRuns: 15 },
    )
  })

  test.each(['image/png', 'image/jpeg'] as const)('shows a logo: %s', async (type) => {
    const logo = buildImage(type).toString('base64')
    const [page = ''] = await readPages({ ...OFFER, logo })
    expect(page).toMatch(/^Proposta 2026-0147/)
    expect((await drawOffer({ ...OFFER, logo })).length).not.toBe((await drawOffer(OFFER)).length)
  })

  test('names the sender in place of an image that cannot be read', async () => {
    const [page = ''] = await readPages({ ...OFFER, logo: Buffer.from('GIF89a').toString('base64') })
    expect(page).toMatch(/^Aurora/)
  })
})
