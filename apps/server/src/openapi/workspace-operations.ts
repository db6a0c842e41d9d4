import { forbidden, itemResponse, responseSchemas, validationError, workspaceChanges } from '@sales-crm/core'
import { BODY_ERRORS, NO_FIELDS } from './body-errors.ts'
import type { Operation } from './operation.ts'

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

// Responses with the same name have the same schema object.
const WORKSPACE = { name: 'WorkspaceResponse', schema: itemResponse(responseSchemas.workspace.detail) }

export const GET_WORKSPACE: Operation = {
  id: 'getWorkspace',
  tag: 'Workspace',
  summary: 'Retrieve the workspace',
  description: 'Returns the workspace of the token. No scope is required.',
  hasEntityTag: true,
  success: { status: 200, description: 'The workspace.', response: WORKSPACE },
  errors: [],
}

export const UPDATE_WORKSPACE: Operation = {
  id: 'updateWorkspace',
  tag: 'Workspace',
  summary: 'Update the workspace',
  description:
    'For owners. The slug stays, since it is a part of every link. Stored amounts are not converted: a new currency is ' +
    'the default of deals made from then on.',
  body: { name: 'WorkspaceChanges', schema: workspaceChanges, changes: true },
  isConditional: true,
  success: { status: 200, description: 'The workspace after the change.', response: WORKSPACE },
  errors: [
    ...BODY_ERRORS,
    NO_FIELDS,
    validationError({ time_zone: 'Must be an IANA time zone such as America/Sao_Paulo.' }),
    forbidden('update', 'workspace'),
  ],
}
