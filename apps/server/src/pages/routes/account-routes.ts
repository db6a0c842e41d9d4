import { CONSOLE_CLIENT_ID } from '@sales-crm/core'
import { accountPage } from '../account-page.ts'
import type { Translations } from '../translations/translations.ts'
import { textValue } from './form-values.ts'
import { type PageCrm, requireSignIn, type View } from './visit.ts'

/** Messages of the account page, by the query parameter `done`. */
const NOTICES: ReadonlyMap<string | undefined, (messages: Translations['messages']) => string> = new Map([
  ['disconnected', (messages) => messages.disconnected],
  ['sessions-ended', (messages) => messages.sessionsEnded],
  ['all-disconnected', (messages) => messages.allDisconnected],
  ['left', (messages) => messages.left],
  ['password-changed', (messages) => messages.passwordChanged],
  ['password-reset', (messages) => messages.passwordReset],
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
        const message = NOTICES.get(done)?.(visit.texts.messages)
        const offersDisconnection = PASSWORD_NOTICES.has(done)
        return visit.show(
          200,
          accountPage(visit.context(), { connections, workspaces, message, offersDisconnection }),
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
