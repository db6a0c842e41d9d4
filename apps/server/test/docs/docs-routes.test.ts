import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { gettingStartedSteps } from '../../src/docs/getting-started-steps.ts'
import { openBrowser } from '../support/page-browser.ts'
import { elementsOf } from '../support/strict-html.ts'
import { openService } from '../support/test-service.ts'
import { codeBlocksOf } from './code-blocks.ts'

const REFERENCE = '/docs'
const START = '/docs/start'
const REDIRECT = '/docs/oauth2-redirect.html'
const UI = createRequire(import.meta.url)
  .resolve('swagger-ui-dist/package.json')
  .replace(/package\.json$/, '')

async function openDocs(issuer = 'http://127.0.0.1:3000') {
  return openBrowser(await openService(memoryStorage(), { issuer }))
}

/** Returns the URLs of the stylesheets, icons and scripts of a page. */
function resourcesOf(page: string): string[] {
  return elementsOf(page)
    .filter(({ tag }) => tag === 'link' || tag === 'script')
    .map(({ attributes }) => attributes.get('href') ?? attributes.get('src') ?? '')
}

test.each([
  [REFERENCE, "script-src 'self'; connect-src 'self'; img-src 'self' data:"],
  [REDIRECT, "script-src 'self'; img-src 'self'"],
  [START, "img-src 'self'"],
])(
  '%s runs only scripts of the service, is not framed, sets no cookies and is in English',
  async (path, sources) => {
    const browser = await openDocs()
    const { status, headers, text, cookies } = await browser.get(path, { 'Accept-Language': 'pt-BR' })
    expect([status, cookies]).toEqual([200, []])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': `default-src 'none'; style-src 'self'; ${sources}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'en',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '999',
    })
    expect(text).toContain('<html lang="en">')
    expect(text).not.toMatch(/<style| style="| on\w+="|javascript:/i)
    const scripts = elementsOf(text).filter(({ tag }) => tag === 'script')
    expect(scripts.map((script) => script.text)).toEqual(scripts.map(() => ''))
  },
)

test('the reference links to the OpenAPI document for browsers without scripts', async () => {
  const { text } = await (await openDocs()).get(REFERENCE)
  expect(text).toMatch(/<noscript>.*<a href="\/openapi\.json">/)
})

test('the pages load only immutable files of the service with correct types', async () => {
  const browser = await openDocs()
  const pages = await Promise.all(
    [REFERENCE, REDIRECT, START].map(async (path) => (await browser.get(path)).text),
  )
  const loaded = new Set(pages.flatMap(resourcesOf))
  expect([...loaded].map((path) => path.replace(/-[0-9a-f]{16}\./, '.')).toSorted()).toEqual([
    '/assets/icon.svg',
    '/assets/pages.css',
    '/docs/docs.css',
    '/docs/reference.css',
    '/docs/reference.js',
    '/docs/swagger-ui-5.35.0/oauth2-redirect.js',
    '/docs/swagger-ui-5.35.0/swagger-ui-bundle.js',
    '/docs/swagger-ui-5.35.0/swagger-ui.css',
  ])
  for (const path of loaded) {
    const { status, headers, text, cookies } = await browser.get(path)
    expect([path, status, text === '', cookies]).toEqual([path, 200, false, []])
    const type = {
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
      svg: 'image/svg+xml',
    }[path.split('.').at(-1) ?? '']
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
  }
  for (const name of ['oauth2-redirect.js', 'swagger-ui-bundle.js', 'swagger-ui.css']) {
    expect((await browser.get(`/docs/swagger-ui-5.35.0/${name}`)).text).toBe(
      await readFile(`${UI}${name}`, 'utf8'),
    )
  }
})

test.each([
  '/docs/swagger-ui-5.35.0/index.html',
  '/docs/swagger-ui-5.35.0/swagger-ui-bundle.js.map',
  '/docs/swagger-ui-5.35.0/..%2fpackage.json',
  '/docs/swagger-ui-5.34.0/swagger-ui.css',
  '/docs/reference.js',
])('answers 404 to %s', async (path) => {
  expect((await (await openDocs()).get(path)).status).toBe(404)
})

test('answers HEAD without a body and rejects POST', async () => {
  const browser = await openDocs()
  const path = '/docs/swagger-ui-5.35.0/swagger-ui.css'
  const { status, headers, text } = await browser.head(path)
  expect([status, headers.get('Content-Type'), text]).toEqual([200, 'text/css; charset=utf-8', ''])
  expect((await browser.post(REFERENCE, {})).status).toBe(404)
})

test('pages and files count as GET calls of the address, and 429 is a page', async () => {
  const browser = openBrowser(await openService(memoryStorage(), { limits: { GET: 3 } }))
  const { text } = await browser.get(START)
  for (const path of [resourcesOf(text)[0] ?? '', REFERENCE])
    expect((await browser.get(path)).status).toBe(200)
  const rejected = await browser.get(START)
  expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '60'])
  expect(rejected.text).toContain('<h1>')
})

test('all links and commands include the path of the public address', async () => {
  const browser = await openDocs('https://example.com/crm')
  for (const path of [REFERENCE, START, REDIRECT]) {
    const { text } = await browser.get(path)
    const addresses = [...text.matchAll(/(?:href|src|data-document|data-back)="(?!#)([^"]*)"/g)].map(
      ([, address]) => address ?? '',
    )
    expect(
      addresses.filter(
        (address) => !address.startsWith('/crm/') && !address.startsWith('https://example.com/crm/'),
      ),
    ).toEqual([])
  }
  const { text } = await browser.get(START)
  expect(codeBlocksOf(text)['begin']).toContain("BASE='https://example.com/crm'\n")
  expect(text).toContain('<code>https://example.com/crm/mcp</code>')
})

test('the commands are safe to paste into bash and zsh', () => {
  const blocks = Object.entries(gettingStartedSteps("https://example.com/it's"))
  expect(Object.fromEntries(blocks)['begin']).toContain("BASE='https://example.com/it'\\''s'")
  for (const [name, text] of blocks) {
    // Interactive zsh does not treat `#` as a comment.
    expect([name, /^\s*#/m.test(text)]).toEqual([name, false])
    // Bash would expand `!` from its history.
    expect([name, /![\w!]/.test(text)]).toEqual([name, false])
    // `read` would consume the next pasted line.
    expect([name, /\bread -.*\n/.test(text)]).toEqual([name, false])
    // Some terminals limit the line length.
    expect([name, text.split('\n').some((line) => line.length > 1000)]).toEqual([name, false])
  }
})
