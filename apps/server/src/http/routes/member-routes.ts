import {
  type Crm,
  MANAGE_MEMBERS_SCOPE,
  MEMBERS_SCOPE,
  type NewInvitation,
  validate,
  validatePatch,
} from '@sales-crm/core'
import { invitationInput, memberChanges } from '@sales-crm/core/declarations'
import * as operations from '../../openapi/member-operations.ts'
import { readConditions, respondVersioned } from '../etag.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { languageOf } from '../request-language.ts'
import { respondJson, respondList } from '../response.ts'
import { rejectInput } from './reject-input.ts'
import { type ApiRoute, pathParam, type RouteContext } from './route.ts'

const [READ, MANAGE] = [{ scope: MEMBERS_SCOPE }, { scope: MANAGE_MEMBERS_SCOPE }]

/** The members of the workspace and the invitations to it. */
export function memberRoutes({ members }: Pick<Crm, 'members'>): readonly ApiRoute[] {
  const path = '/v1/members'
  return [
    ...invitationRoutes(`${path}/invitations`, members),
    {
      ...{ method: 'GET', path, access: READ, turn: 'long', operation: operations.LIST_MEMBERS },
      handle: async (c) =>
        respondList(c, await withQuery(c.req.url, (query) => members.list(c.get('actor'), query as object))),
    },
    {
      ...{
        method: 'GET',
        path: `${path}/:id`,
        access: READ,
        turn: 'short',
        operation: operations.GET_MEMBER,
      },
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondVersioned(c, await members.getVersioned(c.get('actor'), pathParam(c)))
      },
    },
    {
      ...{ method: 'PATCH', path: `${path}/:id`, access: MANAGE, turn: 'short' },
      operation: operations.UPDATE_MEMBER,
      async handle(c) {
        const input = await readJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validatePatch(memberChanges, input))
        const data = await members.update(c.get('actor'), pathParam(c), input, readConditions(c))
        return respondJson(c, { data })
      },
    },
    {
      ...{ method: 'DELETE', path: `${path}/:id`, access: MANAGE, turn: 'short' },
      operation: operations.REMOVE_MEMBER,
      async handle(c) {
        await withQuery(c.req.url, (query) =>
          members.remove(c.get('actor'), pathParam(c), query, readConditions(c)),
        )
        return c.body(null, 204)
      },
    },
  ]
}

function invitationRoutes(path: string, members: Crm['members']): readonly ApiRoute[] {
  return [
    {
      ...{ method: 'GET', path, access: MANAGE, turn: 'long', operation: operations.LIST_INVITATIONS },
      handle: async (c) =>
        respondList(
          c,
          await withQuery(c.req.url, (query) => members.invitations(c.get('actor'), query as object)),
        ),
    },
    {
      ...{ method: 'POST', path, access: MANAGE, turn: 'short', operation: operations.CREATE_INVITATION },
      async handle(c) {
        const input = await readJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validate(invitationInput, input))
        const data = await members.invite(c.get('actor'), input as NewInvitation, originOf(c))
        return respondJson(c, { data }, 201)
      },
    },
    {
      ...{ method: 'POST', path: `${path}/:id/resend`, access: MANAGE, turn: 'short' },
      operation: operations.RESEND_INVITATION,
      async handle(c) {
        await rejectInput(c)
        const data = await members.resendInvitation(c.get('actor'), pathParam(c), originOf(c))
        return respondJson(c, { data })
      },
    },
    {
      ...{ method: 'DELETE', path: `${path}/:id`, access: MANAGE, turn: 'short' },
      operation: operations.WITHDRAW_INVITATION,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        await members.withdrawInvitation(c.get('actor'), pathParam(c))
        return c.body(null, 204)
      },
    },
  ]
}

/** The mail is in the inviter's language: nobody knows that of the reader. */
function originOf(c: RouteContext): { readonly language: string } {
  return { language: languageOf(c) }
}
