import * as v from 'valibot'
import type { CompanySummary } from '../companies/company.ts'
import { CUSTOM_FIELD_TYPES } from '../custom-fields/custom-field.ts'
import type { CustomValueView } from '../custom-fields/custom-values.ts'
import type { Address } from '../custom-fields/values.ts'
import { CURRENCIES } from '../deals/currency.ts'
import type { DealSummary } from '../deals/deal.ts'
import type { ListSummary } from '../lists/list.ts'
import type { PersonSummary } from '../people/person.ts'
import type { EmailEntry, PhoneEntry } from '../records/contacts.ts'
import type { Owner } from '../records/owner.ts'
import type { Tag } from '../tags/tag.ts'
import type { TaskType } from '../task-types/task-type.ts'
import { answerOf, count, instant, instantOrNone, text, textOrNone, uuid } from './answer.ts'

const stamps = { created_at: instant, updated_at: instant }

export const owner = answerOf<Owner>()({ id: uuid, name: text, email: text })

export const email = answerOf<EmailEntry>()({ email: text, type: v.picklist(['work', 'home', 'other']) })
export const phone = answerOf<PhoneEntry>()({ phone: text, type: v.picklist(['mobile', 'work', 'home', 'other']) })
export const contacts = { emails: v.array(email), phones: v.array(phone) }

export const tag = answerOf<Tag>()({ id: uuid, key: text, name: text, color: text, ...stamps })
export const taskType = answerOf<TaskType>()({ id: uuid, title: text, color: text, key: text, ...stamps })
export const listSummary = answerOf<ListSummary>()({ id: uuid, name: text, description: textOrNone, ...stamps })

export const personSummary = answerOf<PersonSummary>()({
  id: uuid,
  full_name: text,
  ...contacts,
  score: count,
  position: textOrNone,
  ...stamps,
})

export const companySummary = answerOf<CompanySummary>()({ id: uuid, full_name: text, ...contacts, ...stamps })

/** What deals have in common, whole or as a part of something else. */
export const dealFields = {
  id: uuid,
  name: text,
  amount: count,
  currency: v.picklist(CURRENCIES),
  formatted_amount: text,
  source: textOrNone,
  forecast_date: instantOrNone,
  pipeline: v.nullable(v.strictObject({ id: uuid, name: text })),
  stage: v.nullable(v.strictObject({ id: uuid, name: text, type: v.picklist(['open', 'win', 'lost']) })),
  ...stamps,
}
export const dealSummary = answerOf<DealSummary>()(dealFields)

const part = v.exactOptional(text)
export const address = v.strictObject({
  street: part,
  number: part,
  complement: part,
  district: part,
  city: part,
  state: part,
  postal_code: part,
  country: part,
}) satisfies v.GenericSchema<Address>

export const customValue = answerOf<CustomValueView>()({
  id: uuid,
  key: text,
  label: text,
  type: v.picklist(CUSTOM_FIELD_TYPES),
  value: v.union([text, v.number(), v.array(text), address]),
})

export const associatedItem = { custom_fields: v.array(customValue) }
export const associatedDetail = { ...associatedItem, tags: v.array(tag), lists: v.array(listSummary) }
