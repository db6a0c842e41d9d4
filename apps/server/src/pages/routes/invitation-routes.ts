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
        return invitation ? visit.show(200, invitationPage(visit.context(), { token, ...invitation })) : linkOver(visit)
      },
    },
    {
      method: 'POST',
      path: PATH,
      async handle(visit, form) {
        const token = visit.req.param('token') ?? ''
        const invitation = await accounts.invitation(token)
        if (!invitation) return linkOver(visit)
        const name = textIn(form, 'name') ?? ''
        const draw = (problem: Problem) => invitationPage(visit.context(), { token, ...invitation, name, problem })
        try {
          const input = invitation.has_password ? {} : { name: form['name'], password: form['password'] }
          const joined = await accounts.acceptInvitation(token, input)
          return joined ? welcome(visit, invitation.workspace_name, joined.signedIn) : linkOver(visit)
        } catch (error) {
          return visit.again(error, draw)
        }
      },
    },
  ]
}

type Joined = NonNullable<Awaited<ReturnType<PageCrm['accounts']['acceptInvitation']>>>

/** Shown in place, since the workspace is named, and as for a guest: a form on it would be of the browser's cookie before. */
function welcome(visit: Visit, workspace: string, session: Joined['signedIn']) {
  const { links, notices } = visit.texts
  const { title, text } = notices.joined
  const link = { href: '/account', text: links.account }
  const html = noticePage({ ...visit.context(), user: undefined }, { title, text: text(workspace), link })
  return visit.show(200, html, session && { cookies: [visit.cookies.signedIn(session)] })
}
