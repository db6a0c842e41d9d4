import type { ReceivedInvitation, SessionToken } from '@sales-crm/core'
import { invitationPage } from '../invitation-page.ts'
import { type Link, messagePage } from '../message-page.ts'
import type { FormErrors } from '../page-context.ts'
import { showExpiredLink } from './expired-link.ts'
import { textValue } from './form-values.ts'
import { type PageCrm, startLink, type View, type Visit } from './visit.ts'

const PATH = '/invitations/:token'

export function invitationRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: PATH,
      async handle(visit) {
        const token = visit.req.param('token') ?? ''
        const invitation = await accounts.invitation(token)
        return invitation
          ? visit.show(200, invitationPage(visit.context(), { token, ...invitation }))
          : showInvitationExpired(visit)
      },
    },
    {
      method: 'POST',
      path: PATH,
      async handle(visit, form) {
        const token = visit.req.param('token') ?? ''
        const invitation = await accounts.invitation(token)
        if (!invitation) return showInvitationExpired(visit)
        if (invitation.requires_sign_in && visit.userSession?.user.email !== invitation.email)
          return visit.show(403, invitationPage(visit.context(), { token, ...invitation }))
        const name = textValue(form, 'name') ?? ''
        const render = (formErrors: FormErrors) =>
          invitationPage(visit.context(), { token, ...invitation, name, formErrors })
        try {
          const input = invitation.has_password ? {} : { name: form['name'], password: form['password'] }
          const acceptance = await accounts.acceptInvitation(token, input, visit.userSession)
          return acceptance
            ? await showJoined(visit, invitation, acceptance.session)
            : showInvitationExpired(visit)
        } catch (error) {
          return visit.showFormErrors(error, render)
        }
      },
    },
  ]
}

/**
 * Renders the page without a redirect, because it names the workspace, and without a user, because a form on
 * it would have a CSRF token for the browser's previous cookie.
 */
async function showJoined(
  visit: Visit,
  { email, workspace_name, workspace_slug }: ReceivedInvitation,
  session: SessionToken | undefined,
) {
  const { userSession, texts } = visit
  const { title, text, other } = texts.messages.joined
  const message =
    userSession && userSession.user.email !== email ? other(email, workspace_name) : text(workspace_name)
  const link = session || userSession?.user.email === email ? openLink(visit, workspace_slug) : visit.home
  const html = messagePage({ ...visit.context(), user: undefined }, { title, text: message, link })
  return visit.show(200, html, session && { cookies: await visit.signIn(session) })
}

/** The joined workspace in the console, or without one the account page. */
function openLink({ startPath, texts }: Visit, slug: string): Link {
  const { href, text } = startLink(startPath, texts)
  return { href: href === '/' ? `/w/${slug}/` : href, text }
}

function showInvitationExpired(visit: Visit) {
  return showExpiredLink(visit, { hint: visit.texts.messages.invitationOver, link: visit.home })
}
