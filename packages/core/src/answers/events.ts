import * as v from 'valibot'
import type { UsageLog } from '../usage/usage-log.ts'
import type { EventName } from '../webhooks/event-names.ts'
import { answerOf, count, instant, text, uuid } from './answer.ts'
import { activityDetail, companyDetail, dealDetail, personDetail, task } from './records.ts'
import { member, pipeline, product, tag } from './settings.ts'
import { webhook } from './webhooks.ts'

type UsageLogView = Pick<UsageLog, 'id' | 'client_id' | 'period_start' | 'period_end' | 'requests' | 'created_at'>

/** What events carry under the key of their entity. */
export const eventEntities = {
  person: v.strictObject({ ...personDetail.entries, email: v.record(text, text) }),
  company: companyDetail,
  deal: dealDetail,
  task,
  activity: activityDetail,
  product,
  tag,
  pipeline,
  member: v.strictObject({ ...member.entries, created_at: instant }),
  usage_log: answerOf<UsageLogView>()({
    id: uuid,
    client_id: text,
    period_start: instant,
    period_end: instant,
    requests: v.strictObject({ GET: count, POST: count, PATCH: count, DELETE: count }),
    created_at: instant,
  }),
  webhook,
} as const

export type EventEntity = keyof typeof eventEntities

/** The key of an event's entity: `person` of `person.created`, `member` of `member_joined`. */
export function entityOf(event: EventName | 'webhook.test'): EventEntity {
  const entity = Object.keys(eventEntities).find((each) => event.startsWith(each))
  return entity as EventEntity
}
