import type { InvitationView, SignedIn } from '@sales-crm/core'
import { invitationPage } from '../invitation.ts'
import { noticePage } from '../notice.ts'
import type { Problem } from '../page.ts'
import { textIn } from './fields.ts'
import { linkOver } from './link-over.ts'
import type { PageCrm, View, Visit } from './visit.ts'

const PATH = '/invitations/:token'

export function invitationRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: PATH,
      async handle(visit) {
        const token = visit.req.param('token') ?? ''
        const invitation = await accounts.invitation(token)
        return invitation ? visit.show(200, invitationPage(visit.context(), { token, ...invitation })) : over(visit)
      },
    },
    {
      method: 'POST',
      path: PATH,
      async handle(visit, form) {
        const token = visit.req.param('token') ?? ''
        const invitation = await accounts.invitation(token)
        if (!invitation) return over(visit)
        const name = textIn(form, 'name') ?? ''
        const draw = (problem: Problem) => invitationPage(visit.context(), { token, ...invitation, name, problem })
        try {
          const input = invitation.has_password ? {} : { name: form['name'], password: form['password'] }
          const joined = await accounts.acceptInvitation(token, input)
          return joined ? await welcome(visit, invitation, joined.signedIn) : over(visit)
        } catch (error) {
          return visit.again(error, draw)
        }
      },
    },
  ]
}

/** Shown in place, since the workspace is named, and as for a guest: a form on it would be of the browser's cookie before. */
async function welcome(visit: Visit, { email, workspace_name }: InvitationView, session: SignedIn | undefined) {
  const { visitor, texts } = visit
  const { title, text, other } = texts.notices.joined
  const said = visitor && visitor.user.email !== email ? other(email, workspace_name) : text(workspace_name)
  const link = session ? { href: '/account', text: texts.links.account } : visit.home
  const html = noticePage({ ...visit.context(), user: undefined }, { title, text: said, link })
  return visit.show(200, html, session && { cookies: await visit.signIn(session) })
}

function over(visit: Visit) {
  return linkOver(visit, { how: visit.texts.notices.invitationOver, link: visit.home })
}
