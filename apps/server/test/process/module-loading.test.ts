import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { freePort, startService, temporaryFolder } from '../support/service-process.ts'
import { describePersistentStores } from '../support/stores.ts'

const LOADED = new URL('../support/log-loaded-modules.ts', import.meta.url).href
const ALL = fileURLToPath(new URL('../support/load-all-modules.ts', import.meta.url))
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

const DRIVERS = {
  sqlite: { last: '/packages/sqlite/src/files/process-lock.ts', ours: /better-sqlite3|packages\/sqlite\// },
  postgres: {
    last: '/packages/postgres/src/notifications.ts',
    ours: /node_modules\/pg\/|packages\/postgres\//,
  },
}
/** Loaded once the service listens, in this order. */
const AFTERWARDS = ['/src/mcp/tool-call.ts', '/src/docs/docs-pages.ts']
/** Loaded when somebody asks for it. */
const LARGE =
  /@modelcontextprotocol|swagger-ui|src\/openapi\/document\.ts|node_modules\/sanitize-html|nodemailer|undici|prom-client|opentelemetry/

async function ownEnv(where: string) {
  const path = await temporaryFolder()
  return { path, env: { DATABASE_URL: where, DATA_DIR: path, SECRET_KEY, PORT: String(await freePort()) } }
}

describePersistentStores('a start', (found) => {
  test('loads its own driver alone, the rest of what is small once it listens, and what is large not at all', async () => {
    const { driver, location: where } = (await found()).database
    const { path, env } = await ownEnv(driver === 'sqlite' ? `sqlite:${where}` : where)
    const list = join(path, 'loaded')
    writeFileSync(list, '')
    const service = await startService({ ...env, LOADED_MODULES: list, NODE_OPTIONS: `--import ${LOADED}` })
    const loaded = () => readFileSync(list, 'utf8').split('\n')
    const placeOf = (end: string) => loaded().findIndex((url) => url.endsWith(end))
    await vi.waitFor(() => expect(placeOf('/src/docs/api-basics.ts')).toBeGreaterThan(0), 20_000)
    await service.stop()
    const { last, ours } = DRIVERS[driver]
    const theirs = DRIVERS[driver === 'sqlite' ? 'postgres' : 'sqlite'].ours
    const order = [last, ...AFTERWARDS].map(placeOf)
    expect(order[0]).toBeGreaterThan(0)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(loaded().some((url) => ours.test(url))).toBe(true)
    expect(loaded().filter((url) => theirs.test(url) || LARGE.test(url))).toEqual([])
  })
})

test('what is loaded the short way is what Node.js finds by itself, in the same format', async () => {
  const allLoaded = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [ALL, ...args], {
      env: { PATH: process.env['PATH'], NODE_DISABLE_COMPILE_CACHE: '1' },
      maxBuffer: 1e7,
    })
    return JSON.parse(stdout) as string[][]
  }
  const [found, hastened] = [await allLoaded(), await allLoaded('hastened')]
  expect(found.length).toBeGreaterThan(500)
  expect(hastened).toEqual(found)
})

test('what Node.js makes of modules is kept in the folder that an operator names, TypeScript too, and nowhere where none is wanted', async () => {
  const { path, env } = await ownEnv(`sqlite:${join(await temporaryFolder(), 'crm.db')}`)
  const kept = join(path, 'kept')
  const stopped = async (more: Readonly<Record<string, string>>) => {
    const service = await startService({ ...env, ...more, NODE_COMPILE_CACHE: kept })
    return service.stop()
  }
  expect(await stopped({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual([0, null])
  await expect(readdir(kept)).rejects.toThrow('ENOENT')
  expect(await stopped({})).toEqual([0, null])
  const [version = ''] = await readdir(kept)
  expect((await readdir(join(kept, version))).length).toBeGreaterThan(500)
})
