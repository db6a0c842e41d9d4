import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

type Open = Parameters<Parameters<typeof describeEachStore>[1]>[0]

const OFFER = { valid_until: '2026-03-31', language: 'pt-BR' }
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function openOffers(open: Open) {
  const service = await openService(await open())
  const acme = await openWorkspace(service)
  await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
  const deal = await acme.createRecord('/v1/deals', { name: 'Licenças "anuais"' })
  await acme.call('POST', `/v1/deals/${deal.id}/items`, { name: 'Chair', unit_price_cts: 250 })
  const sender = { legal_name: 'Acme Ltda.', email: 'sales@acme.example' }
  const setSender = (value: object | null) => acme.call('PATCH', '/v1/workspace', { sender: value })
  await setSender(sender)
  const path = `/v1/deals/${deal.id}/offers`
  const fetchUrl = (url: string, method = 'GET', headers = {}) =>
    service.app.request(new URL(url).pathname, { method, headers })
  return {
    ...{ service, acme, deal, path, setSender, fetchUrl },
    async makeLink() {
      const offer = dataOf(await acme.call('POST', path, OFFER)) as { readonly id: string }
      const link = await acme.call('POST', `${path}/${offer.id}/link`)
      return { id: offer.id, link, url: dataOf(link)['url'] as string }
    },
  }
}

describeEachStore('offers', (open) => {
  test('are made, listed and downloaded', async () => {
    const { acme, path, setSender } = await openOffers(open)
    const withLogo = await setSender({ logo: `data:image/png;base64,${PNG}` })
    expect(dataOf(withLogo)['sender']).toMatchObject({ logo_url: expect.stringContaining('/files/') })
    const made = await acme.call('POST', path, { ...OFFER, notes: 'Thanks' })
    expect([made.status, dataOf(made)]).toMatchObject([
      201,
      { number: '2026-0001', items: [{ name: 'Chair' }], logo_url: expect.any(String) },
    ])
    const offerPath = `${path}/${dataOf(made)['id']}`
    expect((await acme.call('GET', offerPath)).json).toEqual(made.json)
    const list = (await acme.call('GET', path)).json as { data: object[] }
    expect(list.data).toMatchObject([{ number: '2026-0001', opens: 0 }])
    expect(list.data[0]).not.toHaveProperty('items')
    const pdf = await acme.call('GET', `${offerPath}/pdf`)
    expect([pdf.status, pdf.headers.get('Content-Type')]).toEqual([200, 'application/pdf'])
    expect(pdf.headers.get('Cache-Control')).toBe('private, no-store')
    expect(pdf.headers.get('Content-Disposition')).toBe(
      `attachment; filename="Proposta 2026-0001 Licencas anuais.pdf"; filename*=UTF-8''Proposta%202026-0001%20Licen%C3%A7as%20anuais.pdf`,
    )
  })

  test('of twenty sellers at once have the numbers from 1 to 20', async () => {
    const { acme, path } = await openOffers(open)
    const empty = await acme.createRecord('/v1/deals', { name: 'Empty' })
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const target = index % 2 === 0 ? path : `/v1/deals/${empty.id}/offers`
        return (await acme.call('POST', target, OFFER)).status
      }),
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(20)
    expect(statuses.filter((status) => status === 422)).toHaveLength(20)
    const { data } = (await acme.call('GET', path)).json as { data: { number: string }[] }
    const expected = Array.from({ length: 20 }, (_, index) => `2026-${String(20 - index).padStart(4, '0')}`)
    expect(data.map(({ number }) => number)).toEqual(expected)
  })

  test('are refused with their reasons, and to whom the deal is not visible', async () => {
    const { service, acme, deal, path, setSender } = await openOffers(open)
    const { id } = dataOf(await acme.call('POST', path, OFFER)) as { id: string }
    for (const body of [{}, { ...OFFER, notes: '\ud800' }, { ...OFFER, valid_until: '2026-02-28' }])
      expect((await acme.call('POST', path, body)).status).toBe(422)
    const keyed = () => acme.call('POST', path, OFFER, { headers: { 'Idempotency-Key': 'k' } })
    const [first, second] = [await keyed(), await keyed()]
    expect([first.status, second.status, second.json]).toEqual([201, 201, first.json])
    const other = await acme.call(
      'POST',
      path,
      { ...OFFER, language: 'en' },
      {
        headers: { 'Idempotency-Key': 'k' },
      },
    )
    expect(errorOf(other)).toMatchObject({ code: 'idempotency_conflict' })
    await setSender(null)
    expect(errorOf(await acme.call('POST', path, OFFER))).toMatchObject({
      fields: { sender: 'The workspace must have a sender.' },
    })
    expect(
      errorOf(await setSender({ legal_name: 'A', logo: 'https://acme.example/logo.png' })),
    ).toMatchObject({
      fields: { 'sender.logo': expect.stringContaining('Must be a PNG or JPEG image') },
    })
    const stranger = await openWorkspace(service, 'Other')
    const ben = await acme.addMember('ben', 'member')
    await acme.call('PATCH', `/v1/deals/${deal.id}`, { owner_user_id: acme.owner.id })
    const calls = [
      ['GET', path],
      ['POST', path, OFFER],
      ['GET', `${path}/${id}`],
      ['GET', `${path}/${id}/pdf`],
      ['POST', `${path}/${id}/link`],
      ['DELETE', `${path}/${id}/link`],
    ] as const
    const statusesOf = async (token: string) =>
      Promise.all(
        calls.map(async ([method, each, body]) => (await acme.call(method, each, body, { token })).status),
      )
    expect(await statusesOf(ben.token)).toEqual([200, 403, 200, 200, 403, 403])
    expect(new Set(await statusesOf(stranger.token))).toEqual(new Set([404]))
    await acme.call('PATCH', '/v1/workspace', { visibility: { deals: 'owner' } })
    expect(new Set(await statusesOf(ben.token))).toEqual(new Set([404]))
    await acme.call('DELETE', `/v1/deals/${deal.id}`)
    expect(new Set(await statusesOf(acme.token))).toEqual(new Set([404]))
  })

  test('are opened by a link, without cookies, until it is revoked', async () => {
    const { service, acme, path, fetchUrl, makeLink } = await openOffers(open)
    const { id, link, url } = await makeLink()
    expect([link.status, url]).toEqual([201, expect.stringMatching(/\/offers\/crm_of_[0-9a-f]{128}$/)])
    const opened = await fetchUrl(url, 'GET', { Cookie: 'session=x' })
    expect(opened.status).toBe(200)
    expect(Object.fromEntries(opened.headers)).toMatchObject({
      ...{
        'content-type': 'application/pdf',
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      },
      ...{ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
    })
    expect(opened.headers.get('Set-Cookie')).toBeNull()
    const { text } = await extractText(new Uint8Array(await opened.arrayBuffer()))
    expect(text[0]).toContain('Proposta 2026-0001')
    expect((await fetchUrl(url, 'HEAD')).status).toBe(200)
    expect((await service.app.request(`${new URL(url).pathname}?a=1`)).status).toBe(422)
    expect(dataOf(await acme.call('GET', `${path}/${id}`))).toMatchObject({ opens: 1 })
    expect((await acme.call('DELETE', `${path}/${id}/link`)).status).toBe(204)
    const over = await fetchUrl(url)
    const page = await over.text()
    expect([over.status, over.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect([over.headers.get('Cache-Control'), over.headers.get('Set-Cookie')]).toEqual([
      'private, no-store',
      null,
    ])
    expect(page).toContain('Esta proposta não vale mais')
    expect(page).toContain('mailto:sales@acme.example')
    expect(page).not.toMatch(/Acme Ltda|Licenças|Sales CRM/)
    expect(dataOf(await acme.call('GET', `${path}/${id}`))).toMatchObject({ opens: 1, link_created_at: null })
  })

  test('are over with their last day, and with their deal', async () => {
    const { service, acme, deal, path, fetchUrl, makeLink } = await openOffers(open)
    const { id, url } = await makeLink()
    const unknown = await fetchUrl(`${url.slice(0, -1)}${url.endsWith('0') ? '1' : '0'}`)
    const page = await unknown.text()
    expect([unknown.status, page.includes('no longer valid'), page.includes('mailto:')]).toEqual([
      404,
      true,
      false,
    ])
    service.advanceClock(31 * 86_400_000)
    expect((await fetchUrl(url)).status).toBe(404)
    expect((await fetchUrl(url, 'HEAD')).status).toBe(404)
    const token = await acme.tokenFor(acme.owner.email)
    expect((await acme.call('POST', `${path}/${id}/link`, undefined, { token })).status).toBe(409)
    service.advanceClock(-31 * 86_400_000)
    expect((await fetchUrl(url)).status).toBe(200)
    await acme.call('DELETE', `/v1/deals/${deal.id}`)
    expect((await fetchUrl(url)).status).toBe(404)
  })
})
