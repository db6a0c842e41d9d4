import * as v from 'valibot'
import { ERROR_CODES } from '../errors.ts'
import type { Meta } from '../records/query.ts'
import { answerOf, count, text } from './answer.ts'
import {
  activityDetail,
  activityItem,
  companyDetail,
  companyItem,
  dealDetail,
  dealItem,
  personDetail,
  personItem,
  task,
} from './records.ts'
import { customField, list, member, pipeline, product, tag, taskType, workspace } from './settings.ts'
import { deliveryDetail, deliveryItem, webhook, webhookMade } from './webhooks.ts'

/** What each kind is answered as: in a list, and by itself. A webhook's own answer holds its secret where that has just been made. */
export const answers = {
  people: { item: personItem, detail: personDetail },
  companies: { item: companyItem, detail: companyDetail },
  deals: { item: dealItem, detail: dealDetail },
  pipelines: { item: pipeline, detail: pipeline },
  tasks: { item: task, detail: task },
  'task-types': { item: taskType, detail: taskType },
  activities: { item: activityItem, detail: activityDetail },
  products: { item: product, detail: product },
  tags: { item: tag, detail: tag },
  lists: { item: list, detail: list },
  'custom-fields': { item: customField, detail: customField },
  webhooks: { item: webhook, detail: webhookMade },
  deliveries: { item: deliveryItem, detail: deliveryDetail },
  members: { item: member, detail: member },
  workspace: { item: workspace, detail: workspace },
} as const

export type Answered = keyof typeof answers

export { reportAnswers } from './reports.ts'

/** The errors' own shape, as the contract has it. */
export const errorAnswer = v.strictObject({
  error: v.strictObject({
    code: v.picklist(ERROR_CODES),
    message: text,
    request_id: text,
    fields: v.exactOptional(v.record(text, text)),
  }),
})

export const meta = answerOf<Meta>()({ total: count, page: count, per_page: count, has_more: v.boolean() })

export function listAnswer<S extends v.GenericSchema>(item: S) {
  return v.strictObject({ data: v.array(item), meta })
}

export function oneAnswer<S extends v.GenericSchema>(detail: S) {
  return v.strictObject({ data: detail })
}
