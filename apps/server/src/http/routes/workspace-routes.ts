import { ARCHIVE_SCOPES, type Crm, validatePatch, WORKSPACE_SCOPE } from '@sales-crm/core'
import { meChanges, workspaceChanges } from '@sales-crm/core/declarations'
import * as operations from '../../openapi/workspace-operations.ts'
import { readConditions, respondVersioned } from '../etag.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { languageOf } from '../request-language.ts'
import { respondJson } from '../response.ts'
import { rejectInput } from './reject-input.ts'
import type { ApiRoute } from './route.ts'

const [ANY_TOKEN, MANAGE] = [{ scope: null }, { scope: WORKSPACE_SCOPE }]
const ARCHIVE = {
  scope: WORKSPACE_SCOPE,
  otherScopes: ARCHIVE_SCOPES.filter((scope) => scope !== WORKSPACE_SCOPE),
}

/** The member and the workspace of the token, its archive, and its example records. */
export function workspaceRoutes({
  workspace,
  members,
}: Pick<Crm, 'workspace' | 'members'>): readonly ApiRoute[] {
  const path = '/v1/workspace'
  return [
    {
      ...{ method: 'GET', path: '/v1/me', access: ANY_TOKEN, turn: 'short', operation: operations.GET_ME },
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondJson(c, { data: await members.me(c.get('actor')) })
      },
    },
    {
      ...{ method: 'PATCH', path: '/v1/me', access: ANY_TOKEN, turn: 'short' },
      operation: operations.UPDATE_ME,
      async handle(c) {
        const input = await readJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validatePatch(meChanges, input))
        return respondJson(c, { data: await members.updateMe(c.get('actor'), input as never) })
      },
    },
    {
      ...{ method: 'GET', path, access: ANY_TOKEN, turn: 'short', operation: operations.GET_WORKSPACE },
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondVersioned(c, await workspace.getVersioned(c.get('actor')))
      },
    },
    {
      ...{ method: 'PATCH', path, access: MANAGE, turn: 'short', operation: operations.UPDATE_WORKSPACE },
      async handle(c) {
        const input = await readJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validatePatch(workspaceChanges, input))
        return respondJson(c, { data: await workspace.update(c.get('actor'), input, readConditions(c)) })
      },
    },
    {
      ...{ method: 'POST', path: `${path}/archive-link`, access: ARCHIVE, turn: 'short' },
      operation: operations.CREATE_ARCHIVE_LINK,
      async handle(c) {
        await rejectInput(c)
        return respondJson(c, { data: await workspace.createArchiveLink(c.get('actor')) }, 201)
      },
    },
    {
      ...{ method: 'POST', path: `${path}/examples`, access: MANAGE, write: 'create', turn: 'long' },
      operation: operations.CREATE_EXAMPLES,
      async handle(c) {
        await rejectInput(c)
        const origin = { language: languageOf(c) }
        return respondJson(c, { data: await workspace.createExamples(c.get('actor'), origin) }, 201)
      },
    },
    {
      ...{ method: 'DELETE', path: `${path}/examples`, access: MANAGE, turn: 'long' },
      operation: operations.REMOVE_EXAMPLES,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondJson(c, { data: await workspace.removeExamples(c.get('actor')) })
      },
    },
  ]
}
