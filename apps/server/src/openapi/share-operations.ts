import { forbidden, notFound, type RuledKind, validationError } from '@sales-crm/core'
import {
  itemResponse,
  nameOfKind,
  RESOURCES,
  recordViewerResponse,
  shareResponse,
  sharesInput,
} from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { BODY_ERRORS } from './body-errors.ts'
import type { Operation } from './operation.ts'
import { tagOfKind } from './operation-tags.ts'

const SHARES = { name: 'SharesResponse', schema: itemResponse(v.array(shareResponse)) }

const VIEWERS = { name: 'ViewersResponse', schema: itemResponse(v.array(recordViewerResponse)) }

export function getViewersOperation(kind: RuledKind): Operation {
  const { label } = RESOURCES[kind]
  return {
    ...{ id: `list${nameOfKind(kind)}Viewers`, tag: tagOfKind(kind) },
    summary: `List who sees a ${label.toLowerCase()}`,
    description:
      'Each member who sees it, with the strongest reason: its owner first, then by role, team, share and rule. `team_id` is ' +
      'the team that the member leads or is on with the owner. `access` is `write` for who may change its fields.',
    success: { status: 200, description: 'The members.', response: VIEWERS },
    errors: [notFound(label)],
  }
}

export function getSharesOperation(kind: RuledKind): Operation {
  const { label } = RESOURCES[kind]
  return {
    ...{ id: `list${nameOfKind(kind)}Shares`, tag: tagOfKind(kind) },
    summary: `List the shares of a ${label.toLowerCase()}`,
    description: 'Members and teams with whom it is shared, beside those who see it anyway.',
    success: { status: 200, description: 'The shares.', response: SHARES },
    errors: [notFound(label)],
  }
}

export function setSharesOperation(kind: RuledKind): Operation {
  const { label } = RESOURCES[kind]
  const noun = label.toLowerCase()
  return {
    ...{ id: `set${nameOfKind(kind)}Shares`, tag: tagOfKind(kind) },
    summary: `Share a ${noun}`,
    description:
      'Replaces the members and teams with whom it is shared, for whoever may change it without a share. With `write` they ' +
      'change its fields and links; they do not delete it, give it away or share it. A share has no effect where everyone ' +
      'sees the records of the kind, and ends with the member or the team.',
    body: { name: 'Shares', schema: sharesInput },
    success: { status: 200, description: 'The shares.', response: SHARES },
    errors: [
      ...BODY_ERRORS,
      validationError({ 'shares[0].member_id': 'Member not found.' }),
      notFound(label),
      forbidden('update', noun),
    ],
  }
}
