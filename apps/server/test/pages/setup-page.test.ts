import { memoryStorage } from '@sales-crm/core/memory'
import { describe, expect, test } from 'vitest'
import { isLocalRequest } from '../../src/http/local-request.ts'
import { hiddenFieldsOf, openBrowser, PASSWORD } from '../support/page-browser.ts'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const OWNER = { owner_name: 'Ana Lima', owner_email: 'ana@aurora.example', owner_password: PASSWORD }

async function openEmptyService(options: Parameters<typeof openService>[1] = { setup: true }) {
  const service = await openService(memoryStorage(), options)
  const link = `/setup/${await service.crm.setup.createLink()}`
  return { service, browser: openBrowser(service), link }
}

describe('the setup', () => {
  test('leads from the country to the workspace, and signs the owner in', async () => {
    const { service, browser, link } = await openEmptyService()
    expect((await browser.get('/sign-in')).location).toBe('/setup')
    const first = await browser.get(link, { 'Accept-Language': 'pt-BR,en;q=0.5' })
    expect(first.text).toContain('<option value="BR" selected>Brasil</option>')
    const second = await browser.get(`${link}?country=br`)
    for (const selected of ['BRL', 'pt-BR', 'America/Sao_Paulo'])
      expect(second.text).toContain(`<option value="${selected}" selected>`)

    const settings = { currency: 'BRL', locale: 'pt-BR', time_zone: 'America/Sao_Paulo' }
    const invalid = await browser.submit(second, link, {
      ...OWNER,
      ...settings,
      name: '',
      owner_password: 'x',
    })
    expect([invalid.status, invalid.text.includes('id="name-error"')]).toEqual([422, true])
    expect(invalid.text).toContain('value="ana@aurora.example"')
    const done = await browser.submit(invalid, link, { ...OWNER, ...settings, name: 'Água & Sol' })
    expect([done.status, done.location]).toEqual([303, '/w/agua-sol/welcome'])
    expect((await browser.get('/account')).text).toContain('Ana Lima')
    const actor = await service.crm.operator.actorFor({ workspace: 'agua-sol', email: OWNER.owner_email })
    expect(await service.crm.workspace.get(actor)).toMatchObject({
      ...settings,
      name: 'Água & Sol',
      country: 'BR',
    })

    const late = await openBrowser(service).get(link)
    expect([late.status, late.text.includes('This service is set up')]).toEqual([404, true])
    expect((await openBrowser(service).get('/sign-in')).status).toBe(200)
  })

  test('is for who has the link, which a later one replaces', async () => {
    const { service, browser, link } = await openEmptyService()
    const refused = await browser.get('/setup')
    expect([refused.status, refused.text.includes('Open the link')]).toEqual([403, true])
    await service.crm.setup.createLink()
    expect((await browser.get(link)).status).toBe(404)
    const page = await browser.get(`/setup/${await service.crm.setup.createLink()}?country=US`)
    const action = /<form method="post" action="([^"]+)"/.exec(page.text)![1]!
    expect((await browser.post('/setup', { ...hiddenFieldsOf(page, action), ...OWNER })).status).toBe(403)
    expect(await service.crm.setup.isNeeded()).toBe(true)
  })

  test('is not offered unless it is asked for, nor beside a workspace', async () => {
    const off = await openEmptyService({})
    expect((await off.browser.get(off.link)).status).toBe(404)
    expect((await off.browser.get('/sign-in')).status).toBe(200)
    const service = await openService(memoryStorage(), { setup: true })
    await openWorkspace(service)
    const page = await openBrowser(service).get('/setup')
    expect([page.status, page.text.includes('This service is set up')]).toEqual([404, true])
  })
})

describeEachStore('the setup', (open) => {
  test('makes one workspace for twenty at once, who have the links of two processes', async () => {
    const storage = await open()
    const service = await openService(storage, { setup: true })
    const browser = openBrowser(service)
    const first = `/setup/${await service.crm.setup.createLink()}`
    const [link] = await storage.read((tx) => tx.one_time_links.find([{ field: 'purpose', is: 'setup' }]))
    const second = `/setup/${await service.crm.setup.createLink()}`
    // Processes that start at once do not see the links of each other.
    await storage.transact((tx) => tx.one_time_links.insert(link!))
    const page = await browser.get(`${first}?country=US`)
    const hidden = hiddenFieldsOf(page, first)
    const settings = { currency: 'USD', locale: 'en-US', time_zone: 'America/New_York' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        browser.post(nth % 2 === 0 ? first : second, {
          ...hidden,
          ...OWNER,
          ...settings,
          name: `Acme ${nth}`,
        }),
      ),
    )
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(19)
    expect(await service.crm.operator.allWorkspaces()).toHaveLength(1)
  })
})

test.each([
  ['127.0.0.1', ['Host', 'localhost:3000'], true],
  ['::1', ['host', '[::1]:3000'], true],
  ['::ffff:127.0.0.1', ['Host', '127.0.0.1'], true],
  ['127.0.0.1', ['Host', 'crm.example'], false],
  ['127.0.0.1', ['Host', 'localhost', 'Host', 'crm.example'], false],
  ['127.0.0.1', [], false],
  ['127.0.0.1', ['Host', 'localhost', 'X-Forwarded-For', '203.0.113.7'], false],
  ['127.0.0.1', ['Host', 'localhost', 'forwarded', 'for=203.0.113.7'], false],
  ['127.0.0.1', ['Host', 'localhost', 'Via', '1.1 proxy'], false],
  ['203.0.113.7', ['Host', 'localhost'], false],
  [undefined, ['Host', 'localhost'], false],
])('a request from %s with %o is local: %s', (remoteAddress, rawHeaders, expected) => {
  const incoming = { socket: remoteAddress === undefined ? {} : { remoteAddress }, rawHeaders }
  expect(isLocalRequest({ env: { incoming } })).toBe(expected)
})
