import * as v from 'valibot'
import { buildViews } from '../../engine/build-views.ts'
import { findById } from '../../engine/find-by-id.ts'
import { type Listing, querySchema, toPageMeta } from '../../engine/list-query.ts'
import { withCurrentRole } from '../../engine/load-role.ts'
import { validate } from '../../engine/validate.ts'
import { validatePatch } from '../../engine/validate-patch.ts'
import { inWorkspace, readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { flag } from '../../kernel/field-schemas.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Condition, Ports } from '../../ports/index.ts'
import { isFlag } from '../../schema/filter-rules.ts'
import { KINDS } from '../../schema/index.ts'
import { NOTICE_ENTITIES, type NoticeEntity, type Notification } from '../../schema/notification.ts'
import type { NotificationView } from '../../schema/views.ts'
import { titleOf } from './record-title.ts'

const { schema: unread } = isFlag('')
export const notificationQuery = querySchema(['created_at'], { unread: { schema: unread } })
export type NotificationQuery = v.InferInput<typeof notificationQuery>

export const notificationChanges = object({ read: v.optional(flag) })
export type NotificationChanges = v.InferInput<typeof notificationChanges>

export const allNotificationsChanges = object({
  read: v.optional(v.literal(true, 'Must be true.')),
})
export type AllNotificationsChanges = v.InferInput<typeof allNotificationsChanges>

/** Notifications in one transaction of `readAll`. */
const BATCH_SIZE = 200

/** The notifications of the member whom an actor acts for. Any scope is sufficient; titles require that of their kind. */
export interface NotificationApi {
  /**
   * Returns a page, the latest first by default.
   * @throws CrmError `validation_error`
   */
  list(actor: Actor, query?: NotificationQuery): Promise<Listing<NotificationView>>
  /**
   * Marks a notification as read or unread.
   * @throws CrmError `validation_error`, `bad_request`, `not_found`
   */
  update(actor: Actor, id: string, changes: NotificationChanges): Promise<NotificationView>
  /**
   * Marks all as read, and returns the number of those that were not.
   * @throws CrmError `validation_error`, `bad_request`
   */
  readAll(actor: Actor, changes: AllNotificationsChanges): Promise<{ readonly read: number }>
}

export function notificationApi(ports: Pick<Ports, 'storage' | 'issuer' | 'now'>): NotificationApi {
  const { storage, now } = ports
  return {
    async list(actor, query = {}) {
      const { unread: isUnread, ...page } = validate(notificationQuery, query, 'parameter')
      return readWorkspace(ports, actor, async (transaction) => {
        await withCurrentRole(actor, transaction)
        const where = isUnread === undefined ? [] : [isUnread ? UNREAD : ({ not: UNREAD } as const)]
        const { rows, total } = await transaction.stores.notifications.list({ ...page, where })
        return { data: await buildPage(rows, transaction), meta: toPageMeta(page, total) }
      })
    },
    async update(actor, id, changes) {
      const { read } = validatePatch(notificationChanges, changes)
      return storage.transact(async (tx) => {
        const transaction = inWorkspace(tx, actor, ports)
        await withCurrentRole(actor, transaction)
        const { notifications } = transaction.stores
        const before = await findById(notifications, id, 'getForUpdate')
        if (!before) throw notFound('Notification')
        const read_at = read ? (before.read_at ?? now()) : null
        const after = { ...before, read_at, updated_at: now() }
        if (read_at !== before.read_at) await notifications.update(after)
        return (await buildPage([after], transaction))[0]!
      })
    },
    async readAll(actor, changes) {
      validatePatch(allNotificationsChanges, changes)
      const at = now()
      for (let read = 0; ; ) {
        const count = await storage.transact(async (tx) => {
          const transaction = inWorkspace(tx, actor, ports)
          await withCurrentRole(actor, transaction)
          return readBatch(transaction, at)
        })
        read += count
        if (count < BATCH_SIZE) return { read }
      }
    },
  }
}

const UNREAD: Condition<Notification> = { field: 'read_at', is: null }

/** Marks those from before `at`: those that come meanwhile stay unread. */
async function readBatch({ stores: { notifications } }: ViewTransaction, at: string): Promise<number> {
  const { rows } = await notifications.list({
    ...{ page: 1, per_page: BATCH_SIZE, order_by: 'created_at', order: 'asc' },
    where: [UNREAD, { field: 'created_at', to: at }],
  })
  for (const { id } of rows) {
    const locked = await notifications.getForUpdate(id)
    if (locked?.read_at === null) await notifications.update({ ...locked, read_at: at, updated_at: at })
  }
  return rows.length
}

function buildPage(page: readonly Notification[], transaction: ViewTransaction): Promise<NotificationView[]> {
  return buildViews('notifications', 'item', page, transaction, { loaders: { title: loadTitles } })
}

/** Titles of records that the member still sees, of kinds that the token may read. */
async function loadTitles(
  page: readonly Notification[],
  { stores, actor }: ViewTransaction,
): Promise<(notification: Notification) => string | null> {
  const titles = new Map<string, string>()
  const loadKind = async (entity: NoticeEntity) => {
    const ids = page.filter((each) => each.entity === entity).map(({ entity_id }) => entity_id)
    if (ids.length === 0 || !actor.scopes.has(KINDS[entity].scopes.read)) return
    const store = stores[entity] as unknown as Pick<RecordStore<Notification>, 'getMany'>
    for (const record of await store.getMany([...new Set(ids)]))
      titles.set(record.id, titleOf(entity, record))
  }
  await Promise.all(NOTICE_ENTITIES.map(loadKind))
  return ({ entity_id }) => titles.get(entity_id) ?? null
}
