import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { loadConsoleFiles } from '../../src/console/console-files.ts'
import { addMemberWithPassword, openBrowser } from '../support/page-browser.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

async function openConsole() {
  const service = await openService(memoryStorage())
  const workspace = await openWorkspace(service)
  const owner = await addMemberWithPassword(service, workspace, 'ana', 'owner')
  const browser = openBrowser(service)
  await browser.signIn(owner.email)
  return { service, browser }
}

const directive = (policy: string, name: string) =>
  policy.split('; ').find((each) => each.startsWith(`${name} `))

test('the start page is the console, and has no inline script', async () => {
  const { browser } = await openConsole()
  const { status, text, headers } = await browser.get('/')
  const policy = headers.get('Content-Security-Policy') ?? ''
  expect(status).toBe(200)
  expect(text).not.toMatch(/<script(?![^>]* src=)/)
  expect(text).not.toMatch(/<style| style=| on\w+=/)
  expect(directive(policy, 'default-src')).toBe("default-src 'none'")
  expect(directive(policy, 'script-src')).toBe("script-src 'self'")
  expect(directive(policy, 'connect-src')).toBe("connect-src 'self'")
  const nonce = /data-style-nonce="([\w-]{22})"/.exec(text)?.[1]
  expect(directive(policy, 'style-src')).toBe(`style-src 'self' 'nonce-${nonce}'`)
  expect(headers.get('Cache-Control')).toBe('no-store')
})

test('each page has a nonce of its own', async () => {
  const { browser } = await openConsole()
  const nonces = [await browser.get('/'), await browser.get('/')].map(
    ({ text }) => /data-style-nonce="([\w-]+)"/.exec(text)?.[1],
  )
  expect(new Set(nonces).size).toBe(2)
})

test.each(['/w/acme', '/w/acme/', '/w/acme/deals/1?view=table'])(
  'the address %s opens the console',
  async (path) => {
    const { service } = await openConsole()
    const { status, text } = await openBrowser(service).get(path)
    expect([status, text.includes('id="root"')]).toEqual([200, true])
  },
)

test('below a path, the files and the application have it too', async () => {
  const service = await openService(memoryStorage(), { issuer: 'https://example.com/crm' })
  const { text } = await openBrowser(service).get('/w/acme/')
  expect(text).toContain('data-base-path="/crm"')
  expect([...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^\/crm\/assets\/console\/main-[\w-]+\.js$/)]),
  )
  expect(text).not.toMatch(/(?:src|href)="\/assets/)
})

test('every file of the build is served for ever, with its type', async () => {
  const { service } = await openConsole()
  const { handlers, script, styles } = await loadConsoleFiles()
  expect(handlers.has(script)).toBe(true)
  expect(styles.length).toBeGreaterThan(0)
  for (const name of handlers.keys()) {
    const response = await service.app.request(`/assets/console/${name}`)
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
    expect(response.headers.get('Content-Type')).toBe(
      name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    )
  }
})

test.each(['main.js', 'manifest.json', '..%2fmanifest.json', 'constructor', '%00'])(
  'the file %s is not found',
  async (name) => {
    const { service } = await openConsole()
    expect((await service.app.request(`/assets/console/${name}`)).status).toBe(404)
  },
)

test('the language of the page is that of the browser', async () => {
  const { service } = await openConsole()
  const response = await service.app.request('/w/acme/', { headers: { 'Accept-Language': 'pt-BR,pt;q=0.9' } })
  expect(await response.text()).toContain('<html lang="pt-BR"')
})
