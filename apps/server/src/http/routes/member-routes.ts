import {
  type Crm,
  MANAGE_MEMBERS_SCOPE,
  MEMBERS_SCOPE,
  type NewInvitation,
  validate,
  validatePatch,
} from '@sales-crm/core'
import { invitationInput, memberChanges } from '@sales-crm/core/declarations'
import { type Context, Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { readConditions, respondVersioned } from '../etag.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { languageOf } from '../request-language.ts'
import { respondJson, respondList } from '../response.ts'
import type { Guards } from './guards.ts'
import { idParam } from './record-routes.ts'
import { rejectInput } from './reject-input.ts'

/** The members of the workspace and the invitations to it. */
export function memberRoutes({ members }: Pick<Crm, 'members'>, guards: Guards): Hono<AppEnv> {
  const { authorize, takeTurn } = guards
  const mayRead = authorize({ scope: MEMBERS_SCOPE })

  return new Hono<AppEnv>()
    .route('/invitations', invitationRoutes({ members }, guards))
    .get('/', mayRead, takeTurn('long'), async (c) =>
      respondList(c, await withQuery(c.req.url, (query) => members.list(c.get('actor'), query as object))),
    )
    .get('/:id', mayRead, takeTurn('short'), async (c) => {
      rejectQueryParameters(c.req.url)
      return respondVersioned(c, await members.getVersioned(c.get('actor'), idParam(c)))
    })
    .patch('/:id', authorize({ scope: MANAGE_MEMBERS_SCOPE }), takeTurn('short'), async (c) => {
      const input = await readJson(c.get('body'))
      rejectQueryParameters(c.req.url, () => validatePatch(memberChanges, input))
      return respondJson(c, {
        data: await members.update(c.get('actor'), idParam(c), input, readConditions(c)),
      })
    })
    .delete('/:id', authorize({ scope: MANAGE_MEMBERS_SCOPE }), takeTurn('short'), async (c) => {
      await withQuery(c.req.url, (query) =>
        members.remove(c.get('actor'), idParam(c), query, readConditions(c)),
      )
      return c.body(null, 204)
    })
}

function invitationRoutes({ members }: Pick<Crm, 'members'>, { authorize, takeTurn }: Guards): Hono<AppEnv> {
  const mayManage = authorize({ scope: MANAGE_MEMBERS_SCOPE })

  return new Hono<AppEnv>()
    .get('/', mayManage, takeTurn('long'), async (c) =>
      respondList(
        c,
        await withQuery(c.req.url, (query) => members.invitations(c.get('actor'), query as object)),
      ),
    )
    .post('/', mayManage, takeTurn('short'), async (c) => {
      const input = await readJson(c.get('body'))
      rejectQueryParameters(c.req.url, () => validate(invitationInput, input))
      const invitation = await members.invite(c.get('actor'), input as NewInvitation, originOf(c))
      return respondJson(c, { data: invitation }, 201)
    })
    .post('/:id/resend', mayManage, takeTurn('short'), async (c) => {
      await rejectInput(c)
      return respondJson(c, {
        data: await members.resendInvitation(c.get('actor'), idParam(c), originOf(c)),
      })
    })
    .delete('/:id', mayManage, takeTurn('short'), async (c) => {
      rejectQueryParameters(c.req.url)
      await members.withdrawInvitation(c.get('actor'), idParam(c))
      return c.body(null, 204)
    })
}

/** The mail is in the inviter's language: nobody knows that of the reader. */
function originOf(c: Context<AppEnv>): { readonly language: string } {
  return { language: languageOf(c) }
}
