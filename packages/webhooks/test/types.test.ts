import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import pg from 'pg'
import { expectTypeOf, test } from 'vitest'
import {
  createReceiver,
  type DealEvent,
  type DeliveryOf,
  type Envelope,
  memoryStore,
  postgresStore,
  sqliteStore,
  type WebhookDelivery,
} from '../src/index.ts'

const secrets = ['whsec_1']

test('the event name narrows a delivery to its record', () => {
  const read = (event: WebhookDelivery) => (event.event === 'deal.won' ? event : undefined)
  expectTypeOf(read).returns.toEqualTypeOf<DealEvent | undefined>()
  expectTypeOf<DeliveryOf<'deal.won'>['deal']>().toEqualTypeOf<DealEvent['deal']>()
  expectTypeOf<DeliveryOf<'deal.won'>['event']>().toEqualTypeOf<'deal.won'>()
  expectTypeOf<DeliveryOf<'tag.deleted' | 'webhook.test'>['event']>().toEqualTypeOf<
    'tag.deleted' | 'webhook.test'
  >()
})

test('handlers receive the typed event and the transaction of their store', () => {
  createReceiver({
    secrets: [process.env['WEBHOOK_SECRET'], ...secrets],
    store: postgresStore(new pg.Pool()),
    on: {
      'task.created': (event, { transaction }) => {
        expectTypeOf(event.task.title).toEqualTypeOf<string>()
        expectTypeOf(transaction).toEqualTypeOf<pg.PoolClient>()
      },
    },
    onOther(event, { transaction }) {
      expectTypeOf(event).toEqualTypeOf<Envelope>()
      expectTypeOf(transaction).toEqualTypeOf<pg.PoolClient>()
    },
  })
  createReceiver({
    secrets,
    store: memoryStore(),
    on: { member_joined: (_, { transaction }) => expectTypeOf(transaction).toBeUndefined() },
  })
  createReceiver({
    secrets,
    store: sqliteStore(new Database(':memory:')),
    on: {
      member_joined: (_, { transaction }) => expectTypeOf(transaction).toEqualTypeOf<Database.Database>(),
    },
  })
  createReceiver({
    secrets,
    store: sqliteStore(new DatabaseSync(':memory:')),
    on: { member_joined: (_, { transaction }) => expectTypeOf(transaction).toEqualTypeOf<DatabaseSync>() },
  })
})

test('an unknown event name does not compile', () => {
  type On = Parameters<typeof createReceiver>[0]['on']
  expectTypeOf<'deal.won'>().toExtend<keyof On>()
  expectTypeOf<'deal.wom'>().not.toExtend<keyof On>()
})
