import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACME, createCli, PASSWORD } from '../../../apps/server/test/support/crm-cli.ts'
import { freePort, startService, temporaryFolder } from '../../../apps/server/test/support/service-process.ts'
import { systemRuntime } from '../src/runtime.ts'
import { openClient } from './support/live-client.ts'

const PEOPLE = 1000
const CONCURRENCY = 20

/** Creates a workspace in a SQLite file and returns the settings of its service and a token. */
async function createWorkspace() {
  const folder = await temporaryFolder()
  const env = {
    ...{ DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'crm.db')}`, LOG_LEVEL: 'info' },
    ...{ PORT: String(await freePort()), RATE_LIMIT_POST: '0' },
  }
  const { json } = await createCli(env)
  await json(...ACME, ...PASSWORD)
  const { client_id } = await json(
    ...['app', 'create', '--name', 'Import', '--email', 'dev@acme.example'],
    ...['--redirect-uri', 'https://app.example/cb', '--scopes', 'people:read,people:write'],
  )
  const owner = ['--workspace', 'acme', '--client', String(client_id), '--user', 'olga@acme.example']
  const { access_token } = await json('token', 'create', ...owner)
  return { env, token: String(access_token) }
}

test('creates exactly a thousand people while the service is killed twice and restarted', async () => {
  const { env, token } = await createWorkspace()
  let service = await startService(env)
  let failures = 0
  const { crm } = openClient({ url: service.address, token, maxRetries: 100 }, undefined, {
    random: Math.random,
    sleep(milliseconds, signal) {
      failures += 1
      return systemRuntime.sleep(Math.min(milliseconds, 100), signal)
    },
  })
  const ids = new Set<string>()
  let next = 0
  async function createPeople(): Promise<void> {
    while (next < PEOPLE) {
      next += 1
      ids.add((await crm.people.create({ full_name: `Person ${next}` })).id)
    }
  }
  async function restartAfter(count: number): Promise<void> {
    while (ids.size < count) await new Promise((resolve) => setTimeout(resolve, 1))
    await service.kill()
    service = await startService(env)
  }
  const creating = Promise.all(Array.from({ length: CONCURRENCY }, createPeople))
  await restartAfter(300)
  await restartAfter(600)
  await creating

  expect(failures).toBeGreaterThan(0)
  expect(ids.size).toBe(PEOPLE)
  const names = new Set<string>()
  for await (const { id, full_name } of crm.people.list()) {
    expect(ids.delete(id)).toBe(true)
    names.add(full_name)
  }
  expect([ids.size, names.size]).toEqual([0, PEOPLE])
}, 120_000)
