import type * as Api from './api-types.ts'
import type { CallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'
import type { RecordList } from './record-list.ts'

/** What the member of the token is told. Any scope; titles require the `:read` scope of their kind. */
export interface NotificationCollection {
  /** Lists them, the latest first by default. `unread` leaves out read ones, or unread ones. */
  list(query?: Api.NotificationQuery, options?: CallOptions): RecordList<Api.Notification>
  /** Marks one as read or unread. */
  update(id: string, changes: Api.NotificationChanges, options?: CallOptions): Promise<Api.Notification>
  /** Marks all as read, and returns the number of those that were not. */
  readAll(options?: CallOptions): Promise<{ readonly read: number }>
}

/** What the member of the token follows and sees. Any scope; kinds whose `:read` scope the token lacks are left out. */
export interface FollowingCollection {
  /** Lists people, companies, deals and tasks, in this order, each by name. */
  list(query?: Api.FollowingQuery, options?: CallOptions): RecordList<Api.FollowedRecord>
}

/** Records that members follow. */
export interface FollowCalls {
  /** Notifies the member of the token of changes by others. */
  follow(id: string, options?: CallOptions): Promise<void>
  unfollow(id: string, options?: CallOptions): Promise<void>
  /** True if the member follows the record. */
  isFollowing(id: string, options?: CallOptions): Promise<boolean>
}

export function createNotificationCollection(calls: RecordCalls): NotificationCollection {
  const path = 'notifications'
  const repeatable = { isRepeatable: true }
  return {
    list: (query, options) => calls.list(path, query, options),
    update: async (id, changes, options) =>
      calls.patch(`${path}/${encodeId('id', id)}`, changes, options, repeatable),
    readAll: async (options) => calls.patch(path, { read: true }, options, repeatable),
  }
}

export function createFollowCalls(calls: RecordCalls, path: string): FollowCalls {
  const pathOf = (id: string) => `${path}/${encodeId('id', id)}/following`
  return {
    follow: async (id, options) => calls.putNothing(pathOf(id), options),
    unfollow: async (id, options) => calls.delete(pathOf(id), options),
    async isFollowing(id, options) {
      const query = { include: 'following' }
      const record = await calls.get<{ following: boolean }>(`${path}/${encodeId('id', id)}`, options, query)
      return record.following
    },
  }
}
