import * as v from 'valibot'
import type { ActivityDetail, ActivityItem } from '../activities/activity.ts'
import { ENTITIES } from '../activities/activity-link.ts'
import type { AttachmentView } from '../activities/attachment.ts'
import type { CompanyDetail, CompanyItem } from '../companies/company.ts'
import type { DealDetail, DealItem } from '../deals/deal.ts'
import type { PersonDetail, PersonItem } from '../people/person.ts'
import type { TaskView } from '../tasks/task.ts'
import { answerOf, count, instant, instantOrNone, text, textOrNone, uuid } from './answer.ts'
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
} from './summaries.ts'

const stamps = { created_at: instant, updated_at: instant }
const owned = { owner: v.nullable(owner) }

const personFields = {
  id: uuid,
  entity_id: text,
  full_name: text,
  ...contacts,
  position: textOrNone,
  score: count,
  avatar_url: textOrNone,
  ...owned,
  ...stamps,
}
export const personItem = answerOf<PersonItem>()({ ...personFields, ...associatedItem })
export const personDetail = answerOf<PersonDetail>()({ ...personFields, ...associatedDetail, company: v.nullable(companySummary) })

const companyFields = {
  id: uuid,
  entity_id: text,
  full_name: text,
  ...contacts,
  website: textOrNone,
  avatar_url: textOrNone,
  ...owned,
  ...stamps,
}
export const companyItem = answerOf<CompanyItem>()({ ...companyFields, ...associatedItem })
export const companyDetail = answerOf<CompanyDetail>()({ ...companyFields, ...associatedDetail })

const linkedTo = { person: v.nullable(personSummary), company: v.nullable(companySummary) }
const wholeDeal = { ...dealFields, entity_id: text, closed_at: instantOrNone, ...owned, ...linkedTo }
export const dealItem = answerOf<DealItem>()({ ...wholeDeal, ...associatedItem })
export const dealDetail = answerOf<DealDetail>()({ ...wholeDeal, ...associatedDetail })

export const task = answerOf<TaskView>()({
  id: uuid,
  title: text,
  notes: textOrNone,
  due_date: instantOrNone,
  type: v.nullable(taskType),
  priority: v.nullable(v.picklist(['high', 'medium', 'low'])),
  completed: v.boolean(),
  ...linkedTo,
  deal: v.nullable(dealSummary),
  ...owned,
  ...stamps,
})

const activityFields = {
  id: uuid,
  entity: v.nullable(v.picklist(ENTITIES)),
  entity_id: v.nullable(uuid),
  content_html: text,
  attachments_count: count,
  ...owned,
  created_at: instant,
  updated_at: instantOrNone,
}
export const attachment = answerOf<AttachmentView>()({ id: uuid, filename: text, content_type: text, size: count, url: text })
export const activityItem = answerOf<ActivityItem>()(activityFields)
export const activityDetail = answerOf<ActivityDetail>()({ ...activityFields, attachments: v.array(attachment) })
