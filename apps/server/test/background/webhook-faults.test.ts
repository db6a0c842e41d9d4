import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import type { DatabaseLocation } from '../support/database-location.ts'
import { runScript } from '../support/service-process.ts'
import { describePersistentStores, testDatabaseUrl } from '../support/stores.ts'
import { createWebhookEnvironment } from '../support/webhook-environment.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const postgresUrl = inject('postgresUrl')
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Starts a receiver and a service on the database, and subscribes to task.created. */
async function startSubscribed(
  database: DatabaseLocation,
  receiverPath: string,
  env: Readonly<Record<string, string>> = {},
) {
  const receiver = await startWebhookReceiver()
  const acme = await createWebhookEnvironment(database, receiver)
  const service = await acme.start(env)
  const webhook = await acme.subscribe(service.address, receiver.url(receiverPath))
  return { receiver, acme, service, webhook }
}

/** Creates a task in a process that is killed after the commit, and returns its exit code and signal. */
function commitTaskAndDie(database: DatabaseLocation, token: string): Promise<unknown[]> {
  const input = { database, path: '/v1/tasks', body: { title: 'Call' }, token, headers: {} }
  return once(runScript(script('../support/die-after-commit.ts'), [JSON.stringify(input)]), 'exit')
}

describePersistentStores('SIGKILL', (createDatabase) => {
  test('between commit and send loses nothing: the next process delivers', async () => {
    const { database, open } = await createDatabase()
    const { receiver, acme, service } = await startSubscribed(database, '/hook')
    await service.kill()
    expect(await commitTaskAndDie(database, acme.token)).toEqual([null, 'SIGKILL'])
    const storage = await open()
    const [committed] = await acme.deliveries(storage)
    expect(committed).toMatchObject({ status: 'pending', lease: 0 })

    const next = await acme.start()
    const [received] = await receiver.waitUntil(({ length }) => length > 0)
    expect(received!.body).toBe(await acme.body(storage, committed!))
    expect(await next.stop()).toEqual([0, null])
    expect(await acme.deliveries(storage)).toMatchObject([{ status: 'delivered', attempts_count: 1 }])
  })

  test('during a send leads to an identical second send after the lease expires', async () => {
    const { database, open } = await createDatabase()
    const { receiver, acme, service } = await startSubscribed(database, '/first-silent')
    await acme.createTask(service.address)
    await receiver.waitUntil(({ length }) => length === 1)
    await service.kill()
    const storage = await open()
    expect(await acme.deliveries(storage)).toMatchObject([
      { status: 'pending', sending: true, lease: 1, attempts_count: 0 },
    ])

    const next = await acme.start()
    await acme.expireLeases(storage)
    const [first, second] = await receiver.waitUntil(({ length }) => length === 2)
    expect(second).toEqual(first)
    expect(await next.stop()).toEqual([0, null])
    expect(await acme.deliveries(storage)).toMatchObject([
      { status: 'delivered', lease: 2, attempts_count: 1 },
    ])
  })

  test('between response and save leads to an identical second send after the lease expires', async () => {
    const { database, open } = await createDatabase()
    const { receiver, acme, service } = await startSubscribed(database, '/hook')
    await service.kill()
    const storage = await open()
    await commitTaskAndDie(database, acme.token)
    expect(
      await once(runScript(script('../support/die-after-response.ts'), [JSON.stringify(database)]), 'exit'),
    ).toEqual([null, 'SIGKILL'])
    expect(receiver.all()).toHaveLength(1)
    expect(await acme.deliveries(storage)).toMatchObject([
      { status: 'pending', sending: true, lease: 1, attempts_count: 0 },
    ])

    const next = await acme.start()
    await acme.expireLeases(storage)
    const [first, second] = await receiver.waitUntil(({ length }) => length === 2)
    expect(second).toEqual(first)
    expect(await next.stop()).toEqual([0, null])
    expect(await acme.deliveries(storage)).toMatchObject([
      { status: 'delivered', lease: 2, attempts_count: 1 },
    ])
  })
})

describe.skipIf(postgresUrl === null)('a database that is down for ten seconds', () => {
  test('is logged once, and every acknowledged task is delivered', {
    timeout: 90_000,
  }, async () => {
    const url = await testDatabaseUrl(postgresUrl!)
    const env = { WEBHOOK_TIMEOUT_SECONDS: '2', WEBHOOK_RETRY_SECONDS: '1' }
    const { receiver, acme, service } = await startSubscribed(
      { driver: 'postgres', location: url },
      '/first-silent',
      env,
    )
    const { address } = service
    const before = await Promise.all(Array.from({ length: 10 }, () => acme.createTask(address)))
    await receiver.waitUntil(({ length }) => length > 0)
    await closeDatabase(url)
    try {
      await expect(acme.createTask(address)).rejects.toThrow('No task: 500')
      await setTimeout(10_000)
    } finally {
      await openDatabase(url)
    }
    await expect
      .poll(() => acme.send(address, 'GET', '/v1/tasks'), { timeout: 20_000 })
      .toMatchObject({ status: 200 })
    const acknowledged = [...before, await acme.createTask(address)]
    const { storage } = await acme.open()
    const listDelivered = async () =>
      (await acme.deliveries(storage)).filter(({ status }) => status === 'delivered')
    await expect.poll(listDelivered, { timeout: 40_000 }).toHaveLength(acknowledged.length)

    const deliveredIds = new Set(
      receiver.all().map(({ envelope }) => (envelope['task'] as { id: string }).id),
    )
    expect([...deliveredIds].sort()).toEqual(acknowledged.sort())
    // No attempt is lost: those that timed out during the outage are saved afterwards.
    expect((await listDelivered()).map(({ attempts_count }) => attempts_count)).toEqual(Array(11).fill(2))
    expect(await service.stop()).toEqual([0, null])
    const messages = service.lines.map(({ msg }) => msg).filter((msg) => /deliveries/i.test(msg))
    expect(messages).toEqual([
      'Claiming deliveries failed. It will be retried until it succeeds.',
      'Deliveries are being claimed again.',
    ])
  })
})

async function closeDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await runAsAdmin(
    `alter database ${name} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
}

async function openDatabase(url: string): Promise<void> {
  await runAsAdmin(`alter database ${new URL(url).pathname.slice(1)} with allow_connections true`)
}

async function runAsAdmin(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(postgresUrl!)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
