import { type Crm, validatePatch, WORKSPACE_SCOPE } from '@sales-crm/core'
import { workspaceChanges } from '@sales-crm/core/declarations'
import { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { readConditions, respondVersioned } from '../etag.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { languageOf } from '../request-language.ts'
import { respondJson } from '../response.ts'
import type { Guards } from './guards.ts'
import { rejectInput } from './reject-input.ts'

/** The workspace of the token, and its example records. */
export function workspaceRoutes(
  { workspace }: Pick<Crm, 'workspace'>,
  { authorize, takeTurn, enforceQuota }: Guards,
): Hono<AppEnv> {
  const mayManage = authorize({ scope: WORKSPACE_SCOPE })

  return new Hono<AppEnv>()
    .get('/', authorize({ scope: null }), takeTurn('short'), async (c) => {
      rejectQueryParameters(c.req.url)
      return respondVersioned(c, await workspace.getVersioned(c.get('actor')))
    })
    .patch('/', mayManage, takeTurn('short'), async (c) => {
      const input = await readJson(c.get('body'))
      rejectQueryParameters(c.req.url, () => validatePatch(workspaceChanges, input))
      return respondJson(c, { data: await workspace.update(c.get('actor'), input, readConditions(c)) })
    })
    .post('/examples', mayManage, enforceQuota('create'), takeTurn('long'), async (c) => {
      await rejectInput(c)
      const origin = { language: languageOf(c) }
      return respondJson(c, { data: await workspace.createExamples(c.get('actor'), origin) }, 201)
    })
    .delete('/examples', mayManage, takeTurn('long'), async (c) => {
      rejectQueryParameters(c.req.url)
      return respondJson(c, { data: await workspace.removeExamples(c.get('actor')) })
    })
}
