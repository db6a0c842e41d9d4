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

/** How long is written and killed; longer runs are for whoever has changed something about deliveries. */
const SECONDS = Number(process.env['LEDGER_SECONDS'] ?? 15)
/** A receiver is away for a second or two at most, and what a killed process held is anybody's after 21. */
const ENV = { WEBHOOK_TIMEOUT_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_RETRIES: '20' }
const EVENTS = ['person.created', 'person.updated', 'person.deleted']
const WRITER = fileURLToPath(new URL('../support/ledger-writer.ts', import.meta.url))
const postgresUrl = inject('postgresUrl')

const PLACES: Readonly<
  Record<DatabaseLocation['driver'], (finished: OnFinished) => Promise<DatabaseLocation>>
> = {
  sqlite: async (finished) => ({
    driver: 'sqlite',
    location: join(await temporaryFolder(finished), 'crm.db'),
  }),
  postgres: async () => ({ driver: 'postgres', location: await testDatabaseUrl(postgresUrl!) }),
}

const told = ({ envelope: { event, person } }: ReceivedDelivery) =>
  `${event} ${(person as { readonly id: string }).id}`

function run(driver: DatabaseLocation['driver']): void {
  test.concurrent(`whatever is killed, each acknowledged write is told, and nothing else is (${driver})`, {
    timeout: (SECONDS + 120) * 1000,
  }, async ({ expect, onTestFinished }) => {
    const receiver = await startWebhookReceiver(onTestFinished)
    const acme = await createWebhookEnvironment(
      await PLACES[driver](onTestFinished),
      receiver,
      onTestFinished,
    )
    const port = String(await freePort())
    const begin = () => acme.start({ ...ENV, PORT: port })
    let service = await begin()
    const { address } = service
    await acme.subscribe(address, receiver.url('/heard'), EVENTS)

    const errand: LedgerOptions = { address, token: acme.token, seconds: SECONDS }
    const writer = runScript(WRITER, [JSON.stringify(errand)], { finished: onTestFinished })
    const acknowledged: string[] = []
    const lines = createInterface({ input: writer.stdout! }).on('line', (line) => acknowledged.push(line))
    const written = Promise.all([once(writer, 'exit'), once(lines, 'close')])
    const kills = { service: 0, receiver: 0 }
    while (writer.exitCode === null) {
      await Promise.race([written, setTimeout(200 + Math.random() * 1000)])
      const victim = kills.service === 0 || Math.random() < 0.5 ? 'service' : 'receiver'
      kills[victim] += 1
      await (victim === 'service' ? service : receiver).kill()
      await setTimeout(Math.random() * 500)
      if (victim === 'service') service = await begin()
      else await receiver.start()
    }
    expect((await written)[0]).toEqual([0, null])

    await receiver.waitUntil((received) => {
      const heard = new Set(received.map(told))
      return acknowledged.every((write) => heard.has(write))
    })
    expect(await service.stop()).toEqual([0, null])
    const byId = Map.groupBy(receiver.all(), ({ envelope }) => envelope.id)
    // However often it came, it was the same to the byte, and no write was told under two ids.
    expect(
      [...byId.values()].filter((received) => new Set(received.map(({ body }) => body)).size > 1),
    ).toEqual([])
    expect([...byId.values()].map(([first]) => told(first!)).sort()).toEqual(acknowledged.sort())
    const { storage } = await acme.open()
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
