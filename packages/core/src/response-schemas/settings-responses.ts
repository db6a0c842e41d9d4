import * as v from 'valibot'
import type { Membership } from '../features/accounts/account.ts'
import type { ArchiveLink } from '../features/archives/archive-link.ts'
import type { ExampleRemoval, KeptExample } from '../features/examples/remove-examples.ts'
import type { InvitationView } from '../features/members/invitation.ts'
import type { Me } from '../features/members/me.ts'
import type { InvitationWithLink } from '../features/members/member-api.ts'
import type { Reassignment } from '../features/members/reassignment.ts'
import type { SenderView } from '../features/workspaces/sender.ts'
import type { TimeZoneChange } from '../features/workspaces/time-zone-change.ts'
import type { WorkspaceDetail } from '../features/workspaces/workspace-api.ts'
import {
  countResponse as count,
  instantResponse as instant,
  responseSchema,
  textResponse as text,
  uuidResponse as uuid,
} from '../kernel/response-schemas.ts'
import { ROLES } from '../kernel/role.ts'
import { VISIBILITY_RULES, type Visibility } from '../kernel/visibility.ts'
import { CURRENCIES } from '../schema/currency.ts'
import { LANGUAGES } from '../schema/member.ts'
import type { NoticeChannels } from '../schema/notification.ts'
import { responseOf } from '../schema/responses.ts'

export const owner = responseOf('members', 'reference')
export const member = responseOf('members', 'item')
const role = v.picklist(ROLES)

export const reassignment = responseSchema<Reassignment>()({
  reassign_to: v.nullable(owner),
  total: v.nullable(count),
  reassigned: count,
  refused: count,
  ended_at: v.nullable(instant),
})
export const memberDetail = v.strictObject({
  ...responseOf('members', 'detail').entries,
  reassignment: v.nullable(reassignment),
})

export const invitation = responseSchema<InvitationView>()({
  id: uuid,
  email: text,
  role,
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
  role,
})
export const noticeChannels = responseSchema<NoticeChannels>()({ app: v.boolean(), mail: v.boolean() })
export const notices = responseSchema<Me['notices']>()({
  task_due: noticeChannels,
  task_overdue: noticeChannels,
  reminder: noticeChannels,
  mention: noticeChannels,
  change: noticeChannels,
})
export const me = v.strictObject({
  ...member.entries,
  workspace: membership,
  workspaces: v.array(membership),
  scopes: v.array(text),
  language: v.nullable(v.picklist(LANGUAGES)),
  reminder_time: v.nullable(text),
  notices,
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

export const archiveLink = responseSchema<ArchiveLink>()({ url: text, expires_at: instant })

export const timeZoneChange = responseSchema<TimeZoneChange>()({
  time_zone: text,
  total: v.nullable(count),
  visited: count,
  moved: count,
  refused: count,
  ended_at: v.nullable(instant),
})
const visibilityRule = v.picklist(VISIBILITY_RULES)
export const visibility = responseSchema<Visibility>()({
  people: visibilityRule,
  companies: visibilityRule,
  deals: visibilityRule,
  tasks: visibilityRule,
})
export const sender = responseSchema<SenderView>()({
  ...{ legal_name: text, tax_id: v.nullable(text), address: v.nullable(text), email: v.nullable(text) },
  logo_url: v.nullable(text),
})
export const workspace = responseSchema<WorkspaceDetail>()({
  id: uuid,
  name: text,
  slug: text,
  country: v.nullable(text),
  locale: text,
  currency: v.picklist(CURRENCIES),
  time_zone: text,
  visibility,
  sender: v.nullable(sender),
  storage: v.strictObject({
    records: count,
    max_records: v.nullable(count),
    bytes: count,
    max_bytes: v.nullable(count),
  }),
  examples: count,
  time_zone_change: v.nullable(timeZoneChange),
})
