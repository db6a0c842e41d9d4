import { CONSOLE_CLIENT_ID } from '@sales-crm/core'
import { accountPage } from '../account-page.ts'
import type { Translations } from '../translations/translations.ts'
import { textValue } from './form-values.ts'
import { type PageCrm, requireSignIn, type View } from './visit.ts'

/** Notices of the account page, by the query parameter `done`. */
const NOTICES: ReadonlyMap<string | undefined, (notices: Translations['notices']) => string> = new Map([
  ['disconnected', (notices) => notices.disconnected],
  ['sessions-ended', (notices) => notices.sessionsEnded],
  ['all-disconnected', (notices) => notices.allDisconnected],
  ['left', (notices) => notices.left],
  ['password-changed', (notices) => notices.passwordChanged],
  ['password-reset', (notices) => notices.passwordReset],
])

const PASSWORD_NOTICES: ReadonlySet<string | undefined> = new Set(['password-changed', 'password-reset'])

export function accountRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: '/account',
      handle: requireSignIn(async (visit) => {
        const [connections, workspaces] = await Promise.all([
          accounts.connectedApps(visit.userSession),
          accounts.workspaces(visit.userSession),
        ])
        const done = textValue(visit.query, 'done')
        const notice = NOTICES.get(done)?.(visit.texts.notices)
        const offersDisconnection = PASSWORD_NOTICES.has(done)
        return visit.show(
          200,
          accountPage(visit.context(), { connections, workspaces, notice, offersDisconnection }),
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
        await accounts.disconnectApp(visit.userSession, input)
        const done = input.client_id === CONSOLE_CLIENT_ID ? 'sessions-ended' : 'disconnected'
        return visit.redirectTo(`/account?done=${done}`)
      }),
    },
    {
      method: 'POST',
      path: '/account/apps/revoke-all',
      handle: requireSignIn(async (visit) => {
        await accounts.disconnectAllApps(visit.userSession)
        return visit.redirectTo('/account?done=all-disconnected')
      }),
    },
  ]
}
