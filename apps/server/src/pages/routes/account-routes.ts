import { accountPage } from '../account-page.ts'
import type { Translations } from '../translations/translations.ts'
import { textValue } from './form-values.ts'
import { type PageCrm, requireSignIn, type View } from './visit.ts'

/** Notices of the account page, by the query parameter `done`. */
const NOTICES: ReadonlyMap<string | undefined, (notices: Translations['notices']) => string> = new Map([
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
      handle: requireSignIn(async (visit) => {
        const [connections, workspaces] = await Promise.all([
          accounts.connectedApps(visit.visitor),
          accounts.workspaces(visit.visitor),
        ])
        const notice = NOTICES.get(textValue(visit.query, 'done'))?.(visit.texts.notices)
        return visit.show(
          200,
          accountPage(visit.context(), { connections, workspaces, ...(notice && { notice }) }),
        )
      }),
    },
    {
      method: 'POST',
      path: '/account/apps/revoke',
      handle: requireSignIn(async (visit, form) => {
        const input = {
          workspace_id: textValue(form, 'workspace') ?? '',
          client_id: textValue(form, 'client') ?? '',
        }
        await accounts.disconnectApp(visit.visitor, input)
        return visit.redirectTo('/account?done=disconnected')
      }),
    },
  ]
}
