import * as v from 'valibot'
import { CUSTOM_FIELD_TYPES, type CustomFieldView } from '../custom-fields/custom-field.ts'
import type { SelectOption } from '../custom-fields/select-list.ts'
import { CURRENCIES } from '../deals/currency.ts'
import type { ListView } from '../lists/list.ts'
import type { MemberView } from '../members/member.ts'
import type { PipelineView, StageView } from '../pipelines/pipeline.ts'
import { BILLING_CYCLES, type ProductView } from '../products/product.ts'
import type { WorkspaceView } from '../workspaces/workspace.ts'
import { answerOf, count, instant, text, textOrNone, uuid } from './answer.ts'
import { listSummary } from './summaries.ts'

export { tag, taskType } from './summaries.ts'

export const stage = answerOf<StageView>()({
  id: uuid,
  name: text,
  type: v.picklist(['open', 'win', 'lost']),
  probability: count,
  created_at: instant,
})
export const pipeline = answerOf<PipelineView>()({ id: uuid, name: text, stages: v.array(stage), created_at: instant })

export const list = answerOf<ListView>()({ ...listSummary.entries, records_count: count })

export const product = answerOf<ProductView>()({
  id: uuid,
  name: text,
  currency: v.picklist(CURRENCIES),
  price_cts: count,
  description: textOrNone,
  code: textOrNone,
  is_active: v.boolean(),
  billing_cycle: v.picklist(BILLING_CYCLES),
  image_url: textOrNone,
  created_at: instant,
})

export const option = answerOf<SelectOption>()({ key: text, option: text })
export const customField = answerOf<CustomFieldView>()({
  id: uuid,
  label: text,
  key: text,
  type: v.picklist(CUSTOM_FIELD_TYPES),
  value: v.nullable(v.strictObject({ select_list: v.array(option) })),
  required: v.boolean(),
  show_people: v.boolean(),
  show_companies: v.boolean(),
  show_deals: v.boolean(),
  created_at: instant,
})

export const member = answerOf<MemberView>()({ id: uuid, name: text, email: text, role: v.picklist(['owner', 'admin', 'member']) })

export const workspace = answerOf<WorkspaceView>()({
  id: uuid,
  name: text,
  slug: text,
  locale: text,
  currency: v.picklist(CURRENCIES),
  time_zone: text,
})
