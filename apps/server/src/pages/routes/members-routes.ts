import { CrmError, isConflict, type Parameters, UNVERIFIED_ACCOUNT } from '@sales-crm/core'
import { membersPage } from '../members-page.ts'
import type { FormErrors } from '../page-context.ts'
import { emailValue, textValue } from './form-values.ts'
import { type PageCrm, requireSignIn, type SignedInVisit, type View } from './visit.ts'

const PATH = '/workspaces/:slug/members'

type Accounts = PageCrm['accounts']

export function membersRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    { method: 'GET', path: PATH, handle: requireSignIn((visit) => showMembers(accounts, visit)) },
    {
      method: 'POST',
      path: `${PATH}/invite`,
      handle: requireSignIn((visit, form) => inviteMember(accounts, visit, form)),
    },
    {
      method: 'POST',
      path: `${PATH}/remove`,
      handle: requireSignIn((visit, form) => removeMember(accounts, visit, form)),
    },
    {
      method: 'POST',
      path: `${PATH}/withdraw`,
      handle: requireSignIn((visit, form) => withdrawInvitation(accounts, visit, form)),
    },
  ]
}

async function showMembers(accounts: Accounts, visit: SignedInVisit): Promise<Response> {
  const view = await accounts.members(visit.userSession, slugOf(visit))
  const message = messageFor(visit, view.invitations)
  return visit.show(200, membersPage(visit.context(), { view, ...(message && { message }) }))
}

async function inviteMember(accounts: Accounts, visit: SignedInVisit, form: Parameters): Promise<Response> {
  const slug = slugOf(visit)
  const view = await accounts.members(visit.userSession, slug)
  const [email, role] = [emailValue(form), textValue(form, 'role') ?? '']
  const isReinvitation = view.invitations.some((open) => open.email === email.trim().toLowerCase())
  try {
    const input = { email: form['email'], role: form['role'] }
    const { id, link } = await accounts.invite(visit.userSession, slug, input, visit.from)
    // Not after a redirect, whose URL would hold the secret.
    if (link !== undefined) return await showLink(accounts, visit, email, link)
    return visit.redirectTo(
      `${membersPath(visit)}?done=${isReinvitation ? 'invited-again' : 'invited'}&invitation=${id}`,
    )
  } catch (error) {
    const render = (formErrors: FormErrors) =>
      membersPage(visit.context(), { view, formErrors, submitted: { email, role } })
    const { checkFields, alreadyMember, unverifiedAccount } = visit.texts.messages
    const refuse = (status: number, message: string) =>
      visit.show(status, render({ summary: checkFields, fields: { email: message } }))
    if (isConflict(error)) return refuse(409, alreadyMember)
    if (isUnverifiedAccount(error)) return refuse(422, unverifiedAccount)
    return visit.showFormErrors(error, render)
  }
}

async function showLink(
  accounts: Accounts,
  visit: SignedInVisit,
  email: string,
  link: string,
): Promise<Response> {
  const view = await accounts.members(visit.userSession, slugOf(visit))
  return visit.show(200, membersPage(visit.context(), { view, link: { email, href: link } }))
}

async function removeMember(accounts: Accounts, visit: SignedInVisit, form: Parameters): Promise<Response> {
  const slug = slugOf(visit)
  const user = textValue(form, 'user') ?? ''
  try {
    await accounts.removeMember(visit.userSession, slug, user)
  } catch (error) {
    if (!isValidationError(error)) throw error
    const view = await accounts.members(visit.userSession, slug)
    return visit.show(
      422,
      membersPage(visit.context(), { view, formErrors: { summary: visit.texts.messages.lastOwner } }),
    )
  }
  return visit.redirectTo(
    user === visit.userSession.user.id ? '/account?done=left' : `${membersPath(visit)}?done=removed`,
  )
}

async function withdrawInvitation(
  accounts: Accounts,
  visit: SignedInVisit,
  form: Parameters,
): Promise<Response> {
  await accounts.withdrawInvitation(visit.userSession, slugOf(visit), textValue(form, 'invitation') ?? '')
  return visit.redirectTo(`${membersPath(visit)}?done=withdrawn`)
}

/**
 * Returns the message for `done`. The invited address is looked up by id, so that a link cannot inject a text.
 */
function messageFor(
  { query, texts: { messages } }: SignedInVisit,
  invitations: readonly { readonly id: string; readonly email: string }[],
): string | undefined {
  const done = textValue(query, 'done')
  if (done === 'removed') return messages.memberRemoved
  if (done === 'withdrawn') return messages.invitationWithdrawn
  if (done !== 'invited' && done !== 'invited-again') return undefined
  const invitation = invitations.find(({ id }) => id === query['invitation'])
  return invitation && (done === 'invited' ? messages.invited : messages.invitedAgain)(invitation.email)
}

function slugOf({ req }: SignedInVisit): string {
  return req.param('slug') ?? ''
}

function membersPath(visit: SignedInVisit): string {
  return `/workspaces/${encodeURIComponent(slugOf(visit))}/members`
}

function isUnverifiedAccount(error: unknown): boolean {
  return error instanceof CrmError && error.fields?.['email'] === UNVERIFIED_ACCOUNT
}

function isValidationError(error: unknown): boolean {
  return error instanceof CrmError && error.code === 'validation_error'
}
