import * as v from 'valibot'
import type { Owner } from '../engine/owner.ts'
import type { CompanySummary } from '../features/companies/company.ts'
import type { CustomValueView } from '../features/custom-fields/custom-values.ts'
import type { DealSummary } from '../features/deals/deal.ts'
import type { ListSummary } from '../features/lists/list.ts'
import type { PersonSummary } from '../features/people/person.ts'
import type { EmailEntry, PhoneEntry } from '../schema/contact.ts'
import { CURRENCIES } from '../schema/currency.ts'
import { CUSTOM_FIELD_TYPES } from '../schema/custom-field.ts'
import type { Address } from '../schema/custom-value.ts'
import type { Tag } from '../schema/tag.ts'
import type { TaskType } from '../schema/task-type.ts'
import { count, instant, instantOrNone, responseSchema, text, textOrNone, uuid } from './response-schema.ts'

const stamps = { created_at: instant, updated_at: instant }

export const owner = responseSchema<Owner>()({ id: uuid, name: text, email: text })

export const email = responseSchema<EmailEntry>()({
  email: text,
  type: v.picklist(['work', 'home', 'other']),
})
export const phone = responseSchema<PhoneEntry>()({
  phone: text,
  type: v.picklist(['mobile', 'work', 'home', 'other']),
})
export const contacts = { emails: v.array(email), phones: v.array(phone) }

export const tag = responseSchema<Tag>()({ id: uuid, key: text, name: text, color: text, ...stamps })
export const taskType = responseSchema<TaskType>()({
  id: uuid,
  title: text,
  color: text,
  key: text,
  ...stamps,
})
export const listSummary = responseSchema<ListSummary>()({
  id: uuid,
  name: text,
  description: textOrNone,
  ...stamps,
})

export const personSummary = responseSchema<PersonSummary>()({
  id: uuid,
  full_name: text,
  ...contacts,
  score: count,
  position: textOrNone,
  ...stamps,
})

export const companySummary = responseSchema<CompanySummary>()({
  id: uuid,
  full_name: text,
  ...contacts,
  ...stamps,
})

export const namedReference = v.strictObject({ id: uuid, name: text })
export const stageReference = v.strictObject({
  id: uuid,
  name: text,
  type: v.picklist(['open', 'win', 'lost']),
})

/** Fields of a deal, alone or embedded. */
export const dealFields = {
  id: uuid,
  name: text,
  amount: count,
  currency: v.picklist(CURRENCIES),
  formatted_amount: text,
  source: textOrNone,
  forecast_date: instantOrNone,
  pipeline: v.nullable(namedReference),
  stage: v.nullable(stageReference),
  ...stamps,
}
export const dealSummary = responseSchema<DealSummary>()(dealFields)

const optionalText = v.exactOptional(text)
export const address = v.strictObject({
  street: optionalText,
  number: optionalText,
  complement: optionalText,
  district: optionalText,
  city: optionalText,
  state: optionalText,
  postal_code: optionalText,
  country: optionalText,
}) satisfies v.GenericSchema<Address>

export const customValue = responseSchema<CustomValueView>()({
  id: uuid,
  key: text,
  label: text,
  type: v.picklist(CUSTOM_FIELD_TYPES),
  value: v.union([text, v.number(), v.array(text), address]),
})

export const associatedItem = { custom_fields: v.array(customValue) }
export const associatedDetail = { ...associatedItem, tags: v.array(tag), lists: v.array(listSummary) }
