import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openStore } from '../../src/process/open-store.ts'
import { loadSettings } from '../../src/process/settings.ts'
import { openBrowser, PASSWORD } from '../support/page-browser.ts'
import { freePort, startService, temporaryFolder } from '../support/service-process.ts'
import { openTerminal } from '../support/terminal.ts'
import type { Service } from '../support/test-service.ts'
import { codeBlocksOf } from './code-blocks.ts'

declare module 'vitest' {
  interface ProvidedContext {
    programs: readonly string[]
  }
}

const HAS_PROGRAMS = ['bash', 'curl', 'openssl'].every((name) => inject('programs').includes(name))

/** Prepares a service folder with one member, as `npm run demo` does, with a browser and a terminal. */
async function openEnvironment() {
  const path = await temporaryFolder()
  const port = String(await freePort())
  const env = { PORT: port, DATABASE_URL: `sqlite:${path}/data/crm.db`, DATA_DIR: join(path, 'data') }
  const store = await openStore(loadSettings(env), { isServer: false })
  const email = 'olga@acme.example'
  await store.crm.operator.createWorkspace({
    ...{ name: 'Acme', slug: 'acme', owner_name: 'Olga', owner_email: email, owner_password: PASSWORD },
  })
  await store.close()
  const base = `http://127.0.0.1:${port}`
  const request = (path: string, init: RequestInit) =>
    fetch(`${base}${path}`, { ...init, redirect: 'manual' })
  const browser = openBrowser({ app: { request } as unknown as Service['app'] })
  return {
    path,
    base,
    email,
    browser,
    terminal: openTerminal(path),
    start: (more = {}) => startService({ ...env, ...more }),
  }
}

/** Parses a line `NAME=value NAME=value command` into settings. */
function settingsIn(line: string, path: string): Readonly<Record<string, string>> {
  const pairs = [...line.matchAll(/(\w+)=(\S+) /g)].map(([, name = '', value = '']) => [name, value])
  const { NODE_EXTRA_CA_CERTS = '', ...rest } = Object.fromEntries(pairs)
  return { ...rest, NODE_EXTRA_CA_CERTS: join(path, NODE_EXTRA_CA_CERTS) }
}

test.skipIf(!HAS_PROGRAMS)(
  'pasting the blocks of the page in order yields a token and a webhook',
  { timeout: 60_000 },
  async () => {
    const { path, base, email, browser, terminal, start } = await openEnvironment()
    const service = await start()
    const blocks = codeBlocksOf((await browser.get('/docs/start')).text)
    const executed: string[] = []
    const paste = async (name: string, typed?: string) => {
      executed.push(name)
      const { output, errors } = await terminal.paste(blocks[name] ?? `there is no block ${name}`, typed)
      expect([name, errors]).toEqual([name, ''])
      return output
    }

    await paste('begin', 'dev@radar.example')
    expect(JSON.parse(await paste('register'))).toMatchObject({
      data: { name: 'My first app', email: 'dev@radar.example' },
    })
    await service.waitForLine('A mail was written.')
    const link = (await paste('mail')).trim()
    expect(link).toMatch(`${base}/credentials/`)
    const { pathname } = new URL(link)
    const secretPage = await browser.submit(await browser.get(pathname), pathname)
    await paste('secret', /<code class="whole secret">(\w+)</.exec(secretPage.text)?.[1])

    const authorizeUrl = new URL((await paste('authorize')).trim())
    expect(authorizeUrl.origin).toBe(base)
    const request =
      new URL(
        (await browser.get(`${authorizeUrl.pathname}${authorizeUrl.search}`)).location ?? '',
        base,
      ).searchParams.get('request') ?? ''
    const consent = `/oauth/consent?request=${request}`
    await browser.signIn(email, PASSWORD, request)
    const decision = await browser.submit(await browser.get(consent), '/oauth/consent', {
      decision: 'approve',
    })
    expect(decision.location).toMatch('http://localhost:8976/callback?code=')
    await paste('address', decision.location ?? '')
    const first = JSON.parse(await paste('exchange')) as Record<string, unknown>
    expect(first).toMatchObject({ token_type: 'Bearer', workspace_slug: 'acme' })

    expect(JSON.parse(await paste('create'))).toMatchObject({ data: { full_name: 'Ada Example' } })
    expect(JSON.parse(await paste('find'))).toMatchObject({
      data: [{ full_name: 'Ada Example' }],
      meta: { total: 1 },
    })
    const second = JSON.parse(await paste('refresh')) as Record<string, unknown>
    expect(second['refresh_token']).not.toBe(first['refresh_token'])

    await terminal.paste(blocks['certificate'] ?? '')
    expect((await readdir(path)).toSorted()).toEqual(['cert.pem', 'data', 'key.pem'])
    await service.stop()
    const restart = blocks['restart'] ?? ''
    expect(restart).toMatch(/ npm run demo$/)
    await start(settingsIn(restart, path))
    executed.push('certificate', 'restart')

    await paste('hook', 'https://localhost:8443/')
    expect(JSON.parse(await paste('webhook'))).toMatchObject({
      data: { url: 'https://localhost:8443/', webhook_secret: expect.stringMatching(/^whsec_/) },
    })
    await paste('receiver')
    await terminal.until((output) => output.includes('Listening at https://localhost:8443'))
    expect(await paste('test')).toContain('"event":"webhook.test"')
    await terminal.until((output) => output.includes('Received webhook.test'))
    await paste('event')
    const output = await terminal.until((text) => text.includes('Received person.created'))
    expect(output).not.toContain('Refused')
    let log = await paste('log')
    while (log.includes('pending')) log = await paste('log')
    expect(JSON.parse(log)).toMatchObject({
      data: [
        { event: 'person.created', status: 'delivered', attempts_count: 1 },
        { event: 'webhook.test', status: 'delivered', attempts_count: 1 },
      ],
    })

    const forged = await terminal.paste(
      `curl -sk -w '%{http_code}' https://localhost:8443/ -d '{"event": "deal.won"}'`,
    )
    expect(forged.output).toContain('401')
    expect(forged.output).not.toContain('deal.won')
    await paste('end')
    expect(new Set(executed)).toEqual(new Set(Object.keys(blocks)))
  },
)
