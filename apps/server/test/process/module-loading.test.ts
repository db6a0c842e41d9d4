import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort, startService, temporaryFolder } from '../support/service-process.ts'
import { describePersistentStores } from '../support/stores.ts'

const LOG_MODULES_SCRIPT = new URL('../support/log-loaded-modules.ts', import.meta.url).href
const LOAD_ALL_SCRIPT = fileURLToPath(new URL('../support/load-all-modules.ts', import.meta.url))
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

const DRIVERS = {
  sqlite: {
    last: '/packages/sqlite/src/files/process-lock.ts',
    pattern: /better-sqlite3|packages\/sqlite\//,
  },
  postgres: {
    last: '/packages/postgres/src/notifications.ts',
    pattern: /node_modules\/pg\/|packages\/postgres\//,
  },
}
/** Loaded on first use. */
const ON_DEMAND =
  /@modelcontextprotocol|swagger-ui|src\/openapi\/document\.ts|src\/mcp\/tool-call\.ts|src\/docs\/docs-pages\.ts|node_modules\/sanitize-html|nodemailer|undici|prom-client|opentelemetry/

async function createEnv(databaseUrl: string) {
  const path = await temporaryFolder()
  return {
    path,
    env: { DATABASE_URL: databaseUrl, DATA_DIR: path, SECRET_KEY, PORT: String(await freePort()) },
  }
}

describePersistentStores('the start', (createDatabase) => {
  test('loads only its own driver, and what is rarely used on demand', async () => {
    const { driver, location } = (await createDatabase()).database
    const { path, env } = await createEnv(driver === 'sqlite' ? `sqlite:${location}` : location)
    const list = join(path, 'loaded')
    writeFileSync(list, '')
    const service = await startService({
      ...env,
      LOADED_MODULES: list,
      NODE_OPTIONS: `--import ${LOG_MODULES_SCRIPT}`,
    })
    const loadedUrls = () => readFileSync(list, 'utf8').split('\n')
    await service.stop()
    const { last, pattern } = DRIVERS[driver]
    const otherPattern = DRIVERS[driver === 'sqlite' ? 'postgres' : 'sqlite'].pattern
    expect(loadedUrls().some((url) => url.endsWith(last))).toBe(true)
    expect(loadedUrls().some((url) => pattern.test(url))).toBe(true)
    expect(loadedUrls().filter((url) => otherPattern.test(url) || ON_DEMAND.test(url))).toEqual([])
  })
})

test('the loader hook loads the same modules in the same formats as Node.js', async () => {
  const loadAllModules = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [LOAD_ALL_SCRIPT, ...args], {
      env: { PATH: process.env['PATH'], NODE_DISABLE_COMPILE_CACHE: '1' },
      maxBuffer: 1e7,
    })
    return JSON.parse(stdout) as string[][]
  }
  const [modules, hooked] = [await loadAllModules(), await loadAllModules('hooked')]
  expect(modules.length).toBeGreaterThan(500)
  expect(hooked).toEqual(modules)
})

test('caches compiled modules and TypeScript in NODE_COMPILE_CACHE unless it is disabled', async () => {
  const { path, env } = await createEnv(`sqlite:${join(await temporaryFolder(), 'crm.db')}`)
  const cacheFolder = join(path, 'cache')
  const startAndStop = async (more: Readonly<Record<string, string>>) => {
    const service = await startService({ ...env, ...more, NODE_COMPILE_CACHE: cacheFolder })
    return service.stop()
  }
  expect(await startAndStop({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual([0, null])
  await expect(readdir(cacheFolder)).rejects.toThrow('ENOENT')
  expect(await startAndStop({})).toEqual([0, null])
  const [version = ''] = await readdir(cacheFolder)
  expect((await readdir(join(cacheFolder, version))).length).toBeGreaterThan(500)
})
