import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { CHROMIUM, openPage } from '../../../apps/server/test/browser/live-service.ts'
import { openLiveService } from './support/live-client.ts'
import { openScriptedServer } from './support/scripted-server.ts'
import { startWorker } from './support/worker.ts'

declare module 'vitest' {
  interface ProvidedContext {
    programs: readonly string[]
  }
}

const PROGRAMS = inject('programs')
const PACKAGE = join(import.meta.dirname, '..')
const SCRIPT = join(import.meta.dirname, 'support/runtime-main.ts')
const RESULT = {
  names: ['Ana Lima', 'Bob'],
  score: 5,
  total: 0,
  invalid: 'validation_error',
  redirect: 'Redirect',
  aborted: 'AbortError',
}

/** Runs the script in a program and returns what it prints. */
async function runIn(program: string, args: readonly string[]): Promise<unknown> {
  const { url, acme } = await openLiveService()
  const other = await openScriptedServer(() => ({ body: { data: {} } }))
  const moved = await openScriptedServer(() => ({ status: 302, headers: { Location: other.url } }))
  const { stdout } = await promisify(execFile)(program, [...args, SCRIPT, url, moved.url, acme.token])
  expect(other.requests).toEqual([])
  return JSON.parse(stdout)
}

test('the client works on Node', async () => {
  expect(await runIn(process.execPath, [])).toEqual(RESULT)
})

test.skipIf(!PROGRAMS.includes('deno'))('the client works on Deno', async () => {
  const args = ['run', '--quiet', '--no-config', '--no-lock', '--no-check', '--allow-net=127.0.0.1']
  expect(await runIn('deno', args)).toEqual(RESULT)
})

test.skipIf(!PROGRAMS.includes('bun'))('the client works on Bun', async () => {
  expect(await runIn('bun', ['run'])).toEqual(RESULT)
})

test.skipIf(!PROGRAMS.includes('workerd'))('the client works in a worker', async () => {
  const { url, acme } = await openLiveService()
  const moved = await openScriptedServer(() => ({ status: 302, headers: { Location: url } }))
  const worker = await startWorker([url, moved.url, acme.token])
  expect(await (await fetch(worker)).json()).toEqual(RESULT)
})

test.skipIf(CHROMIUM === null)('the client works in Chromium', async () => {
  const { url, acme } = await openLiveService()
  const page = await openPage()
  await serveModules(page, url)
  await page.goto(`${url}/client/page.html`)
  const script = '/client/test/support/runtime-script.ts'
  const args = JSON.stringify([url, `${url}/client/moved`, acme.token]).slice(1, -1)
  expect(await page.evaluate(`import('${script}').then(({ useClient }) => useClient(${args}))`)).toEqual(
    RESULT,
  )
})

/** Serves the files of this package below /client on the service's origin: the service has no CORS. */
async function serveModules(page: Page, url: string): Promise<void> {
  await page.route(`${url}/client/**`, (route) => {
    const path = new URL(route.request().url()).pathname.replace('/client/', '')
    if (path === 'page.html') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
    if (path.startsWith('moved/'))
      return route.fulfill({ status: 302, headers: { Location: `${url}/healthz` } })
    const source = readFileSync(join(PACKAGE, path), 'utf8')
    return route.fulfill({ contentType: 'text/javascript', body: stripTypeScriptTypes(source) })
  })
}
