import { CrmError, conflict, forbidden, notFound, validationError } from '@sales-crm/core'
import { itemResponse, meChanges, responseSchemas, workspaceChanges } from '@sales-crm/core/declarations'
import { BODY_ERRORS, NO_FIELDS, UNKNOWN_PARAMETER } from './body-errors.ts'
import type { Operation } from './operation.ts'
import { EMPTY_OBJECT } from './webhook-operations.ts'

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

export const UPDATE_ME: Operation = {
  id: 'updateMe',
  tag: 'Members',
  summary: 'Change the settings of the member of the token',
  description:
    'For a member who is signed in to the console. With `reminder_time`, the open tasks of the member that are due or overdue ' +
    'are mailed once a day, unless there are none, and listed among the notifications.',
  body: { name: 'MeChanges', schema: meChanges, changes: true },
  success: {
    status: 200,
    description: 'The member after the change.',
    response: { name: 'MeResponse', schema: GET_ME.success.response!.schema },
  },
  errors: [
    ...BODY_ERRORS,
    NO_FIELDS,
    validationError({ reminder_time: 'Must be a time such as 08:30.' }),
    forbidden('update', 'member'),
  ],
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

const PENDING = new CrmError(
  'conflict',
  'Deliveries to webhooks are pending (2). Let the service run until they are sent, or delete their webhooks, and export again.',
)

export const CREATE_ARCHIVE_LINK: Operation = {
  id: 'createArchiveLink',
  tag: 'Workspace',
  summary: 'Create a link to the archive of the workspace',
  description:
    'Returns a link to everything of the workspace as a file: records, files, settings and members, without secrets. It is ' +
    'valid for a day, and while its owner is an owner. Whoever has it reads the whole workspace. For owners, with the scope ' +
    '`workspace:manage` and every scope that ends with `:read`.',
  body: { name: 'Nothing', schema: EMPTY_OBJECT, optional: true },
  success: {
    status: 201,
    description: 'The link. It is not stored.',
    response: { name: 'ArchiveLinkResponse', schema: itemResponse(responseSchemas.archive_links.detail) },
  },
  errors: [
    ...BODY_ERRORS,
    forbidden('create', 'archive'),
    PENDING,
    validationError({ days: 'Unknown field.' }),
  ],
}

export const GET_ARCHIVE: Operation = {
  id: 'getArchive',
  tag: 'Workspace',
  summary: 'Download the archive of a workspace',
  description:
    'No token is required: the URL is a link for an owner. The archive is a tar file, as the workspace is at one moment, that ' +
    'the command `workspace import` of the operator’s tool reads. The response begins when the file is complete. One export ' +
    'of a workspace at a time: another one gets a 429.',
  params: { token: { description: 'The sealed part of the link.', isId: false, example: 'crm_al_76312533' } },
  success: {
    status: 200,
    description: 'The archive.',
    types: ['application/x-tar'],
    headers: {
      'Content-Disposition': '`attachment` and the file name, with the slug of the workspace.',
      'Referrer-Policy': '`no-referrer`.',
    },
  },
  errors: [notFound('Archive'), PENDING, UNKNOWN_PARAMETER],
}

export const CREATE_EXAMPLES: Operation = {
  id: 'createExamples',
  tag: 'Workspace',
  summary: 'Create example records',
  description:
    'Creates twelve deals with people, companies and tasks, and a pipeline if there is none, to look around in a new ' +
    'workspace. For owners and admins. They are in the language of `Accept-Language`: English or Brazilian Portuguese.',
  body: { name: 'Nothing', schema: EMPTY_OBJECT, optional: true },
  success: {
    status: 201,
    description: 'The examples were created.',
    response: { name: 'ExamplesResponse', schema: itemResponse(responseSchemas.examples.item) },
  },
  errors: [
    ...BODY_ERRORS,
    validationError({ language: 'Unknown field.' }),
    forbidden('create', 'example'),
    conflict('examples', 'Are there already.'),
  ],
}

export const REMOVE_EXAMPLES: Operation = {
  id: 'deleteExamples',
  tag: 'Workspace',
  summary: 'Remove the example records',
  description:
    'Deletes the examples, except those that somebody changed, or linked to another record, and what these are linked to. ' +
    'The response names them: they are ordinary records from then on.',
  success: {
    status: 200,
    description: 'The examples were removed.',
    response: { name: 'ExampleRemovalResponse', schema: itemResponse(responseSchemas.examples.detail) },
  },
  errors: [forbidden('delete', 'example')],
}
