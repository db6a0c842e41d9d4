import { CrmError, isConflict, type Parameters } from '@sales-crm/core'
import type { Reply } from '../../answer.ts'
import type { Problem } from '../page.ts'
import { teamPage } from '../team.ts'
import { emailIn, textIn } from './fields.ts'
import { type PageCrm, type SignedInVisit, signedIn, type View } from './visit.ts'

const PATH = '/workspaces/:slug/team'

export function teamRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: PATH,
      handle: signedIn(async (visit) => {
        const team = await accounts.team(visit.visitor, slugOf(visit))
        const notice = noticeFor(visit, team.invitations)
        return visit.show(200, teamPage(visit.context(), { team, ...(notice && { notice }) }))
      }),
    },
    { method: 'POST', path: `${PATH}/invite`, handle: signedIn(invite) },
    { method: 'POST', path: `${PATH}/remove`, handle: signedIn(remove) },
    {
      method: 'POST',
      path: `${PATH}/withdraw`,
      handle: signedIn(async (visit, form) => {
        await accounts.withdrawInvitation(visit.visitor, slugOf(visit), textIn(form, 'invitation') ?? '')
        return visit.go(`${teamPath(visit)}?done=withdrawn`)
      }),
    },
  ]

  async function invite(visit: SignedInVisit, form: Parameters): Promise<Reply> {
    const slug = slugOf(visit)
    const team = await accounts.team(visit.visitor, slug)
    const [email, role] = [emailIn(form), textIn(form, 'role') ?? '']
    const isAgain = team.invitations.some((open) => open.email === email.trim().toLowerCase())
    try {
      const { id } = await accounts.invite(visit.visitor, slug, { email: form['email'], role: form['role'] }, visit.from)
      return visit.go(`${teamPath(visit)}?done=${isAgain ? 'invited-again' : 'invited'}&invitation=${id}`)
    } catch (error) {
      const draw = (problem: Problem) => teamPage(visit.context(), { team, problem, sent: { email, role } })
      if (!isConflict(error)) return visit.again(error, draw)
      const { checkFields, alreadyMember } = visit.texts.notices
      return visit.show(409, draw({ summary: checkFields, fields: { email: alreadyMember } }))
    }
  }

  async function remove(visit: SignedInVisit, form: Parameters): Promise<Reply> {
    const slug = slugOf(visit)
    const user = textIn(form, 'user') ?? ''
    try {
      await accounts.removeMember(visit.visitor, slug, user)
    } catch (error) {
      if (!isInvalid(error)) throw error
      const team = await accounts.team(visit.visitor, slug)
      return visit.show(422, teamPage(visit.context(), { team, problem: { summary: visit.texts.notices.lastOwner } }))
    }
    return visit.go(user === visit.visitor.user.id ? '/account?done=left' : `${teamPath(visit)}?done=removed`)
  }
}

/** What the page says was done. Whom an invitation went to is looked up, so that an address cannot make the page say anything else. */
function noticeFor(
  { query, texts: { notices } }: SignedInVisit,
  invitations: readonly { readonly id: string; readonly email: string }[],
): string | undefined {
  const done = textIn(query, 'done')
  if (done === 'removed') return notices.memberRemoved
  if (done === 'withdrawn') return notices.invitationWithdrawn
  if (done !== 'invited' && done !== 'invited-again') return undefined
  const made = invitations.find(({ id }) => id === query['invitation'])
  return made && (done === 'invited' ? notices.invited : notices.invitedAgain)(made.email)
}

function slugOf({ req }: SignedInVisit): string {
  return req.param('slug') ?? ''
}

function teamPath(visit: SignedInVisit): string {
  return `/workspaces/${encodeURIComponent(slugOf(visit))}/team`
}

function isInvalid(error: unknown): boolean {
  return error instanceof CrmError && error.code === 'validation_error'
}
