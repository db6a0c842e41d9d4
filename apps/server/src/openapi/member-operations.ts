import { conflict, forbidden, notFound, UNVERIFIED_ACCOUNT, validationError } from '@sales-crm/core'
import {
  invitationInput,
  itemResponse,
  listResponse,
  memberChanges,
  querySchema,
  removalQuery,
  responseSchemas,
} from '@sales-crm/core/declarations'
import { BODY_ERRORS, INVALID_PAGING, NO_FIELDS } from './body-errors.ts'
import type { Operation, Param } from './operation.ts'
import { EMPTY_OBJECT } from './webhook-operations.ts'

const ID: Param = {
  description: "The member's id: its user id, the same in every workspace.",
  isId: true,
  example: '01a1fc31-2670-7f5c-9d6c-3d2f5f0f5a11',
}
const INVITATION_ID: Param = {
  description: "The invitation's id.",
  isId: true,
  example: '01a1fc31-2a44-7d10-8b8e-6f0c1f2a9b70',
}
const MEMBER = { name: 'MemberResponse', schema: itemResponse(responseSchemas.members.detail) }
const INVITATION = { name: 'InvitationResponse', schema: itemResponse(responseSchemas.invitations.detail) }
const MEMBER_NOT_FOUND = notFound('Member')
const INVITATION_NOT_FOUND = notFound('Invitation')
const LINK_NOTE =
  'The link is mailed, valid for seven days. Where the service has no mail server, it is in this response as `link`, ' +
  'once, for the caller to pass on.'

export const LIST_MEMBERS: Operation = {
  id: 'listMembers',
  tag: 'Members',
  summary: 'List members',
  description: 'The current members. Use it to find an `owner_email`.',
  query: querySchema(['created_at'], {}),
  success: {
    status: 200,
    description: 'A page of members.',
    response: { name: 'MemberPage', schema: listResponse(responseSchemas.members.item) },
  },
  errors: [INVALID_PAGING],
}

export const GET_MEMBER: Operation = {
  id: 'getMember',
  tag: 'Members',
  summary: 'Retrieve a member',
  description: 'Returns a current or removed member.',
  params: { id: ID },
  hasEntityTag: true,
  success: { status: 200, description: 'The member.', response: MEMBER },
  errors: [MEMBER_NOT_FOUND],
}

export const UPDATE_MEMBER: Operation = {
  id: 'updateMember',
  tag: 'Members',
  summary: 'Change the role of a member',
  description:
    'For owners and admins; only an owner gives or takes the role of owner, and nobody changes their own. The webhooks ' +
    'that the member made in the console stop with the role, and so do invitations that it may not send any more.',
  params: { id: ID },
  body: { name: 'MemberChanges', schema: memberChanges, changes: true },
  isConditional: true,
  success: { status: 200, description: 'The member after the change.', response: MEMBER },
  errors: [
    ...BODY_ERRORS,
    NO_FIELDS,
    validationError({ role: 'Must be one of: owner, admin, member.' }),
    MEMBER_NOT_FOUND,
    forbidden('update', 'member'),
    forbidden('update', 'member', { role: 'Must not be your own role.' }),
  ],
}

export const REMOVE_MEMBER: Operation = {
  id: 'deleteMember',
  tag: 'Members',
  summary: 'Remove a member',
  description:
    'Ends the membership and every access that the member granted, at once. For owners and admins, only an owner removes ' +
    'an owner, and a member may remove itself. Its records stay, without an owner. With `reassign_to` its people, companies, ' +
    'deals and tasks become those of another member in the background; each sends its `updated` event. Retrieve the member ' +
    'to see how far that is. A member who was removed before can be handed over in the same way.',
  params: { id: ID },
  query: removalQuery,
  isConditional: true,
  success: { status: 204, description: 'Removed.' },
  errors: [
    MEMBER_NOT_FOUND,
    forbidden('delete', 'member'),
    forbidden('delete', 'member', {
      reassign_to: 'Only an owner or admin may hand over the records of a member.',
    }),
    validationError({ reassign_to: 'Must be another member.' }),
    validationError({ id: 'Must not be the last owner of the workspace.' }),
  ],
}

export const LIST_INVITATIONS: Operation = {
  id: 'listInvitations',
  tag: 'Members',
  summary: 'List invitations',
  description: 'Invitations that are neither accepted nor expired, for owners and admins.',
  query: querySchema(['created_at'], {}),
  success: {
    status: 200,
    description: 'A page of invitations.',
    response: { name: 'InvitationPage', schema: listResponse(responseSchemas.invitations.item) },
  },
  errors: [INVALID_PAGING, forbidden('read', 'invitation')],
}

export const CREATE_INVITATION: Operation = {
  id: 'createInvitation',
  tag: 'Members',
  summary: 'Invite somebody',
  description: `${LINK_NOTE} It replaces an open invitation of the same address. At most 100 a day.`,
  body: { name: 'NewInvitation', schema: invitationInput },
  success: { status: 201, description: 'The new invitation.', response: INVITATION },
  errors: [
    ...BODY_ERRORS,
    validationError({ email: 'Must be a valid email address.', role: 'Required.' }),
    validationError({ email: UNVERIFIED_ACCOUNT }),
    forbidden('create', 'member'),
    conflict('email'),
  ],
}

export const RESEND_INVITATION: Operation = {
  id: 'resendInvitation',
  tag: 'Members',
  summary: 'Renew an invitation',
  description: `Replaces the link, also of an expired invitation. ${LINK_NOTE}`,
  params: { id: INVITATION_ID },
  body: { name: 'Nothing', schema: EMPTY_OBJECT, optional: true },
  success: { status: 200, description: 'The invitation.', response: INVITATION },
  errors: [
    ...BODY_ERRORS,
    validationError({ email: 'Unknown field.' }),
    INVITATION_NOT_FOUND,
    forbidden('update', 'invitation'),
    conflict('email'),
  ],
}

export const WITHDRAW_INVITATION: Operation = {
  id: 'deleteInvitation',
  tag: 'Members',
  summary: 'Withdraw an invitation',
  description: 'Makes its link invalid.',
  params: { id: INVITATION_ID },
  success: { status: 204, description: 'Withdrawn.' },
  errors: [INVITATION_NOT_FOUND, forbidden('update', 'invitation')],
}
