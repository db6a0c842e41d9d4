import * as v from 'valibot'
import type { ActivityDetail, ActivityItem } from '../features/activities/activity.ts'
import { ENTITIES } from '../features/activities/activity-link.ts'
import type { AttachmentView } from '../features/activities/attachment.ts'
import type { CompanyDetail, CompanyItem } from '../features/companies/company.ts'
import type { DealDetail } from '../features/deals/deal.ts'
import type { DealListItem } from '../features/deals/deal-api.ts'
import type { NextTask } from '../features/deals/deal-includes.ts'
import type { PersonDetail, PersonItem } from '../features/people/person.ts'
import type { TaskView } from '../features/tasks/task.ts'
import { count, instant, instantOrNone, responseSchema, text, textOrNone, uuid } from './response-schema.ts'
import {
  associatedDetail,
  associatedItem,
  companySummary,
  contacts,
  dealFields,
  dealSummary,
  owner,
  personSummary,
  taskType,
} from './summary-responses.ts'

const stamps = { created_at: instant, updated_at: instant }
const ownerField = { owner: v.nullable(owner) }

const personFields = {
  id: uuid,
  entity_id: text,
  full_name: text,
  ...contacts,
  position: textOrNone,
  score: count,
  avatar_url: textOrNone,
  ...ownerField,
  ...stamps,
}
export const personItem = responseSchema<PersonItem>()({ ...personFields, ...associatedItem })
export const personDetail = responseSchema<PersonDetail>()({
  ...personFields,
  ...associatedDetail,
  company: v.nullable(companySummary),
})

const companyFields = {
  id: uuid,
  entity_id: text,
  full_name: text,
  ...contacts,
  website: textOrNone,
  avatar_url: textOrNone,
  ...ownerField,
  ...stamps,
}
export const companyItem = responseSchema<CompanyItem>()({ ...companyFields, ...associatedItem })
export const companyDetail = responseSchema<CompanyDetail>()({ ...companyFields, ...associatedDetail })

const relatedFields = { person: v.nullable(personSummary), company: v.nullable(companySummary) }
const fullDealFields = {
  ...dealFields,
  entity_id: text,
  closed_at: instantOrNone,
  ...ownerField,
  ...relatedFields,
}
const priority = v.nullable(v.picklist(['high', 'medium', 'low']))
export const nextTask = responseSchema<NextTask>()({
  id: uuid,
  title: text,
  due_date: instantOrNone,
  priority,
  type: v.nullable(taskType),
})
export const dealItem = responseSchema<DealListItem>()({
  ...fullDealFields,
  ...associatedItem,
  next_task: v.exactOptional(v.nullable(nextTask)),
  stage_entered_at: v.exactOptional(instant),
})
export const dealDetail = responseSchema<DealDetail>()({ ...fullDealFields, ...associatedDetail })

export const task = responseSchema<TaskView>()({
  id: uuid,
  title: text,
  notes: textOrNone,
  due_date: instantOrNone,
  type: v.nullable(taskType),
  priority,
  completed: v.boolean(),
  ...relatedFields,
  deal: v.nullable(dealSummary),
  ...ownerField,
  ...stamps,
})

const activityFields = {
  id: uuid,
  entity: v.nullable(v.picklist(ENTITIES)),
  entity_id: v.nullable(uuid),
  content_html: text,
  attachments_count: count,
  ...ownerField,
  created_at: instant,
  updated_at: instantOrNone,
}
export const attachment = responseSchema<AttachmentView>()({
  id: uuid,
  filename: text,
  content_type: text,
  size: count,
  url: text,
})
export const activityItem = responseSchema<ActivityItem>()(activityFields)
export const activityDetail = responseSchema<ActivityDetail>()({
  ...activityFields,
  attachments: v.array(attachment),
})
