import * as v from 'valibot'
import type { Membership } from '../features/accounts/account.ts'
import type { CustomFieldView } from '../features/custom-fields/custom-field.ts'
import type { ExampleRemoval, KeptExample } from '../features/examples/remove-examples.ts'
import type { ListView } from '../features/lists/list.ts'
import type { InvitationView } from '../features/members/invitation.ts'
import type { Me } from '../features/members/me.ts'
import type { MemberView } from '../features/members/member.ts'
import type { InvitationWithLink, MemberDetail } from '../features/members/member-api.ts'
import type { Reassignment } from '../features/members/reassignment.ts'
import type { PipelineView, StageView } from '../features/pipelines/pipeline.ts'
import type { ProductView } from '../features/products/product.ts'
import type { TimeZoneChange } from '../features/workspaces/time-zone-change.ts'
import type { WorkspaceDetail } from '../features/workspaces/workspace-api.ts'
import { CURRENCIES } from '../schema/currency.ts'
import { CUSTOM_FIELD_TYPES, type SelectOption } from '../schema/custom-field.ts'
import { BILLING_CYCLES } from '../schema/product.ts'
import { count, instant, responseSchema, text, textOrNone, uuid } from './response-schema.ts'
import { listSummary, owner } from './summary-responses.ts'

export { tag, taskType } from './summary-responses.ts'

export const stage = responseSchema<StageView>()({
  id: uuid,
  name: text,
  type: v.picklist(['open', 'win', 'lost']),
  probability: count,
  created_at: instant,
})
export const pipeline = responseSchema<PipelineView>()({
  id: uuid,
  name: text,
  stages: v.array(stage),
  created_at: instant,
})

export const list = responseSchema<ListView>()({ ...listSummary.entries, records_count: count })

export const product = responseSchema<ProductView>()({
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

export const option = responseSchema<SelectOption>()({ key: text, option: text })
export const customField = responseSchema<CustomFieldView>()({
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

export const member = responseSchema<MemberView>()({
  id: uuid,
  name: text,
  email: text,
  role: v.picklist(['owner', 'admin', 'member']),
})

export const reassignment = responseSchema<Reassignment>()({
  reassign_to: v.nullable(owner),
  total: v.nullable(count),
  reassigned: count,
  refused: count,
  ended_at: v.nullable(instant),
})
export const memberDetail = responseSchema<MemberDetail>()({
  ...member.entries,
  created_at: instant,
  removed_at: v.nullable(instant),
  reassignment: v.nullable(reassignment),
})

export const invitation = responseSchema<InvitationView>()({
  id: uuid,
  email: text,
  role: v.picklist(['owner', 'admin', 'member']),
  expires_at: instant,
  created_at: instant,
})
export const invitationWithLink = responseSchema<InvitationWithLink>()({
  ...invitation.entries,
  link: v.exactOptional(text),
})

export const membership = responseSchema<Membership>()({
  id: uuid,
  name: text,
  slug: text,
  role: v.picklist(['owner', 'admin', 'member']),
})
export const me = responseSchema<Me>()({
  ...member.entries,
  workspace: membership,
  workspaces: v.array(membership),
  scopes: v.array(text),
})

export const examples = responseSchema<{ readonly examples: number }>()({ examples: count })
export const keptExample = responseSchema<KeptExample>()({
  kind: v.picklist(['pipelines', 'companies', 'people', 'deals', 'tasks']),
  id: uuid,
  name: text,
  reason: v.picklist(['changed', 'linked']),
})
export const exampleRemoval = responseSchema<ExampleRemoval>()({
  removed: count,
  kept: v.array(keptExample),
})

export const timeZoneChange = responseSchema<TimeZoneChange>()({
  time_zone: text,
  total: v.nullable(count),
  visited: count,
  moved: count,
  refused: count,
  ended_at: v.nullable(instant),
})
export const workspace = responseSchema<WorkspaceDetail>()({
  id: uuid,
  name: text,
  slug: text,
  country: textOrNone,
  locale: text,
  currency: v.picklist(CURRENCIES),
  time_zone: text,
  storage: v.strictObject({
    records: count,
    max_records: v.nullable(count),
    bytes: count,
    max_bytes: v.nullable(count),
  }),
  examples: count,
  time_zone_change: v.nullable(timeZoneChange),
})
