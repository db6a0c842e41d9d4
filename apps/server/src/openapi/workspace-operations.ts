import { itemResponse, listResponse, querySchema, responseSchemas } from '@sales-crm/core'
import { INVALID_PAGING } from './body-errors.ts'
import type { Operation } from './operation.ts'

export const LIST_MEMBERS: Operation = {
  id: 'listMembers',
  tag: 'Members',
  summary: 'List members',
  description: 'Use it to find an `owner_email`. Members are invited and removed on the team page.',
  query: querySchema(['created_at'], {}),
  success: {
    status: 200,
    description: 'A page of members.',
    response: { name: 'MemberPage', schema: listResponse(responseSchemas.members.item) },
  },
  errors: [INVALID_PAGING],
}

export const GET_ME: Operation = {
  id: 'getMe',
  tag: 'Members',
  summary: 'Retrieve the member of the token',
  description:
    'Returns the member who granted the token, with role and scopes, and the workspaces in which the member has let this app in. ' +
    'No scope is required.',
  success: {
    status: 200,
    description: 'The member.',
    response: { name: 'MeResponse', schema: itemResponse(responseSchemas.me.detail) },
  },
  errors: [],
}

export const GET_WORKSPACE: Operation = {
  id: 'getWorkspace',
  tag: 'Workspace',
  summary: 'Retrieve the workspace',
  description: 'Returns the workspace of the token. No scope is required.',
  success: {
    status: 200,
    description: 'The workspace.',
    response: { name: 'WorkspaceResponse', schema: itemResponse(responseSchemas.workspace.detail) },
  },
  errors: [],
}
