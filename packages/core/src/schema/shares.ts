import * as v from 'valibot'
import { oneOf, uuid } from '../kernel/field-schemas.ts'
import { object } from '../kernel/object-schemas.ts'
import { type RecordViewer, VIEW_REASONS } from '../kernel/record-viewers.ts'
import { responseSchema, uuidResponse } from '../kernel/response-schemas.ts'
import { SHARE_ACCESS, type Share, type ShareAccess } from '../kernel/visibility.ts'
import { system } from './fields.ts'
import { storedJson } from './value-types.ts'
import { loaded } from './view-fields.ts'

/** With whom a record is shared: a member or a team. */
export type ShareView =
  | { readonly member_id: string; readonly access: ShareAccess }
  | { readonly team_id: string; readonly access: ShareAccess }

/** Maximum number per record. */
export const MAX_SHARES = 50

/** One of the ids is given. */
export const shareInput = object({
  member_id: v.optional(uuid),
  team_id: v.optional(uuid),
  access: oneOf(SHARE_ACCESS),
})

const access = v.picklist(SHARE_ACCESS)

export const shareResponse = v.union([
  responseSchema<{ readonly member_id: string; readonly access: ShareAccess }>()({
    member_id: uuidResponse,
    access,
  }),
  responseSchema<{ readonly team_id: string; readonly access: ShareAccess }>()({
    team_id: uuidResponse,
    access,
  }),
])

const sharesResponse = v.array(shareResponse) as v.GenericSchema<unknown, readonly ShareView[]>

export const recordViewerResponse = responseSchema<RecordViewer>()({
  member_id: uuidResponse,
  reason: v.picklist(VIEW_REASONS),
  team_id: v.nullable(uuidResponse),
  access,
})

/** The column of kinds that can be shared. */
export const shares = system(storedJson<readonly Share[]>(), { level: 'hidden', initial: [] })

export const sharedWith = loaded({
  ...{ level: 'detail', included: true, response: sharesResponse, reads: ['shares'] },
  description:
    'Members and teams with whom the record is shared, beside those who see it anyway. In lists only if it is included.',
  example: [],
})
