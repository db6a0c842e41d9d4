export type { DeliveryName, DeliveryOf, Envelope, WebhookDelivery } from './delivery.ts'
export type * from './event-types.ts'
export { createReceiver, type Receiver } from './receiver.ts'
export type { EventHandlers, HandlerContext, ReceiverOptions } from './receiver-options.ts'
export type { IdStore } from './stores/id-store.ts'
export { memoryStore } from './stores/memory-store.ts'
export {
  type PostgresClient,
  type PostgresPool,
  postgresStore,
} from './stores/postgres-store.ts'
export type { SqlStoreOptions } from './stores/sql-store-options.ts'
export { type SqliteDatabase, sqliteStore } from './stores/sqlite-store.ts'
