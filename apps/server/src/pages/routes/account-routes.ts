import { accountPage } from '../account.ts'
import type { Texts } from '../texts/texts.ts'
import { textIn } from './fields.ts'
import { type PageCrm, signedIn, type View } from './visit.ts'

/** What the account page says was done, by the word in its address. */
const DONE: ReadonlyMap<string | undefined, (notices: Texts['notices']) => string> = new Map([
  ['disconnected', (notices) => notices.disconnected],
  ['left', (notices) => notices.left],
  ['password-changed', (notices) => notices.passwordChanged],
  ['password-reset', (notices) => notices.passwordReset],
])

export function accountRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: '/account',
      handle: signedIn(async (visit) => {
        const [connections, workspaces] = await Promise.all([accounts.connections(visit.visitor), accounts.workspaces(visit.visitor)])
        const notice = DONE.get(textIn(visit.query, 'done'))?.(visit.texts.notices)
        return visit.show(200, accountPage(visit.context(), { connections, workspaces, ...(notice && { notice }) }))
      }),
    },
    {
      method: 'POST',
      path: '/account/apps/revoke',
      handle: signedIn(async (visit, form) => {
        const input = { workspace_id: textIn(form, 'workspace') ?? '', client_id: textIn(form, 'client') ?? '' }
        await accounts.disconnect(visit.visitor, input)
        return visit.go('/account?done=disconnected')
      }),
    },
  ]
}
