import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inject, test } from 'vitest'
import type { DatabaseLocation } from '../support/database-location.ts'
import type { LedgerOptions } from '../support/ledger-writer.ts'
import { freePort, type OnFinished, runScript, temporaryFolder } from '../support/service-process.ts'
import { testDatabaseUrl } from '../support/stores.ts'
import { createWebhookEnvironment } from '../support/webhook-environment.ts'
import { type ReceivedDelivery, startWebhookReceiver } from '../support/webhook-receiver.ts'

/** Duration of the writes and kills. Set LEDGER_SECONDS for longer runs after changes to deliveries. */
const SECONDS = Number(process.env['LEDGER_SECONDS'] ?? 5)
/** The receiver is down for two seconds at most. */
const ENV = { WEBHOOK_TIMEOUT_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_RETRIES: '20' }
const EVENTS = ['person.created', 'person.updated', 'person.deleted']
const WRITER = fileURLToPath(new URL('../support/ledger-writer.ts', import.meta.url))
const postgresUrl = inject('postgresUrl')

const CREATE_LOCATION: Readonly<
  Record<DatabaseLocation['driver'], (finished: OnFinished) => Promise<DatabaseLocation>>
> = {
  sqlite: async (finished) => ({
    driver: 'sqlite',
    location: join(await temporaryFolder(finished), 'crm.db'),
  }),
  postgres: async () => ({ driver: 'postgres', location: await testDatabaseUrl(postgresUrl!) }),
}

const writeOf = ({ envelope: { event, person } }: ReceivedDelivery) =>
  `${event} ${(person as { readonly id: string }).id}`

function run(driver: DatabaseLocation['driver']): void {
  test.concurrent(`with random kills each acknowledged write is delivered, and nothing else (${driver})`, {
    timeout: (SECONDS + 120) * 1000,
  }, async ({ expect, onTestFinished }) => {
    const receiver = await startWebhookReceiver(onTestFinished)
    const acme = await createWebhookEnvironment(
      await CREATE_LOCATION[driver](onTestFinished),
      receiver,
      onTestFinished,
    )
    const port = String(await freePort())
    const startService = () => acme.start({ ...ENV, PORT: port })
    let service = await startService()
    const { address } = service
    await acme.subscribe(address, receiver.url('/hook'), EVENTS)

    const options: LedgerOptions = { address, token: acme.token, seconds: SECONDS }
    const writer = runScript(WRITER, [JSON.stringify(options)], { finished: onTestFinished })
    const acknowledged: string[] = []
    const lines = createInterface({ input: writer.stdout! }).on('line', (line) => acknowledged.push(line))
    const writerClosed = Promise.all([once(writer, 'exit'), once(lines, 'close')])
    const kills = { service: 0, receiver: 0 }
    while (writer.exitCode === null) {
      await Promise.race([writerClosed, setTimeout(200 + Math.random() * 1000)])
      const target = kills.service === 0 || Math.random() < 0.5 ? 'service' : 'receiver'
      kills[target] += 1
      await (target === 'service' ? service : receiver).kill()
      await setTimeout(Math.random() * 500)
      if (target === 'service') service = await startService()
      else await receiver.start()
    }
    expect((await writerClosed)[0]).toEqual([0, null])

    const { storage } = await acme.open()
    // Those of killed processes, which last for more than a minute.
    await acme.expireLeases(storage)
    await receiver.waitUntil((received) => {
      const deliveredWrites = new Set(received.map(writeOf))
      return acknowledged.every((write) => deliveredWrites.has(write))
    })
    expect(await service.stop()).toEqual([0, null])
    const byId = Map.groupBy(receiver.all(), ({ envelope }) => envelope.id)
    // Repeated deliveries are identical byte for byte, and each write has one id.
    expect(
      [...byId.values()].filter((received) => new Set(received.map(({ body }) => body)).size > 1),
    ).toEqual([])
    expect([...byId.values()].map(([first]) => writeOf(first!)).sort()).toEqual(acknowledged.sort())
    const rows = await acme.deliveries(storage)
    expect(rows.map(({ id }) => id).sort()).toEqual([...byId.keys()].sort())
    expect(rows.filter(({ status }) => status === 'dropped')).toEqual([])
    if (process.env['LEDGER_SECONDS'])
      console.log(
        `${driver}: ${acknowledged.length} writes, ${receiver.all().length} deliveries, ${JSON.stringify(kills)} killed`,
      )
  })
}

run('sqlite')
if (postgresUrl !== null) run('postgres')
