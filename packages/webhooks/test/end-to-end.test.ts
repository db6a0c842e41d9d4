import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../../../apps/server/test/support/receiver-certificate.ts'
import { createWebhookEnvironment } from '../../../apps/server/test/support/webhook-environment.ts'
import { nodeReceiver } from '../src/adapters/node.ts'
import { createReceiver, sqliteStore } from '../src/index.ts'

test('the service delivers over TLS, repeats a failed delivery, and can deliver it again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-webhooks-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, RECEIVER_CERTIFICATE)
  const server = createServer({ key: RECEIVER_KEY, cert: RECEIVER_CERTIFICATE }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const acme = await createWebhookEnvironment({ driver: 'sqlite', location: join(folder, 'crm.db') }, { ca })
  const { address, stop } = await acme.start({ WEBHOOK_RETRY_SECONDS: '1' })
  const webhook = await acme.subscribe(address, `https://127.0.0.1:${port}/crm`, [
    'task.created',
    'tag.created',
  ])
  const database = new DatabaseSync(':memory:')
  database.exec('create table titles (title text)')
  const errors: unknown[] = []
  const receiver = createReceiver({
    secrets: [`whsec_${'0'.repeat(64)}`, webhook.webhook_secret],
    store: sqliteStore(database),
    on: {
      'task.created': ({ task }, { transaction }) => {
        transaction.prepare('insert into titles values (?)').run(task.title)
        if (errors.length === 0) throw new Error('The first attempt fails.')
      },
    },
    onError: (error) => errors.push(error),
  })
  server.on('request', nodeReceiver(receiver))

  const listDeliveries = async () => {
    const { data } = await acme.send(address, 'GET', `/v1/webhooks/${webhook.id}/deliveries`)
    return data as unknown as { id: string; event: string; status: string; attempts_count: number }[]
  }
  await acme.createTask(address, 'Ligue já 📞\u2028"/"')
  await acme.send(address, 'POST', '/v1/tags', { name: 'Hot' })
  await expect
    .poll(async () => (await listDeliveries()).map(({ status }) => status), { timeout: 20_000 })
    .toEqual(['delivered', 'delivered'])
  const task = (await listDeliveries()).find(({ event }) => event === 'task.created')!
  expect(task.attempts_count).toBe(2)
  const path = `/v1/webhooks/${webhook.id}/deliveries/${task.id}/redeliver`
  await acme.send(address, 'POST', path)
  await expect
    .poll(
      async () => {
        const { data } = await acme.send(address, 'GET', `/v1/webhooks/${webhook.id}/deliveries/${task.id}`)
        const attempts = data['attempts'] as { status: number; response: string }[]
        return attempts.map(({ status, response }) => [status, response])
      },
      { timeout: 20_000 },
    )
    .toEqual([
      [500, '{"error":{"code":"internal_error","message":"The event was not processed."}}'],
      [200, '{"status":"processed"}'],
      [200, '{"status":"duplicate"}'],
    ])
  expect(database.prepare('select title from titles').all()).toEqual([{ title: 'Ligue já 📞\u2028"/"' }])
  expect(errors).toEqual([new Error('The first attempt fails.')])
  expect(await stop()).toEqual([0, null])
})
