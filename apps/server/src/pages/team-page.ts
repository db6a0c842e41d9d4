import type { Role, Team } from '@sales-crm/core'
import {
  avatarInitial,
  errorSummary,
  fieldError,
  hiddenFields,
  inputField,
  statusNotice,
} from './form-fields.ts'
import { renderLayout } from './layout.ts'
import { type Html, html, isolateName, timeElement } from './markup.ts'
import type { PageContext, Problem } from './page-context.ts'

interface TeamPageOptions {
  readonly team: Team
  readonly notice?: string | undefined
  readonly problem?: Problem | undefined
  /** What was filled in before, when it is to be mended. */
  readonly submitted?: { readonly email?: string | undefined; readonly role?: string | undefined } | undefined
}

export function teamPage(ctx: PageContext, { team, notice, problem, submitted }: TeamPageOptions): Html {
  const { texts, basePath } = ctx
  const words = texts.team
  const { members, invitations, workspace } = team
  return renderLayout(
    ctx,
    { title: words.title, problem, width: 'wide' },
    html`<p class="back"><a href="${basePath}/account">${texts.layout.account}</a></p>
<h1>${words.heading(isolateName(workspace.name))}</h1>
${statusNotice(notice)}
${errorSummary(ctx, problem, ['email', 'role'])}
<section aria-labelledby="members">
<h2 id="members">${words.members} <span class="count">${members.length}</span></h2>
<ul class="rows" role="list">${members.map((one) => memberRow(ctx, team, one))}</ul>
</section>
<section aria-labelledby="invitations">
<h2 id="invitations">${words.invitations} <span class="count">${invitations.length}</span></h2>
${invitations.length === 0 ? html`<p class="none">${words.noInvitations}</p>` : html`<ul class="rows" role="list">${invitations.map((one) => invitationRow(ctx, team, one))}</ul>`}
</section>
${inviteForm(ctx, team, problem, submitted)}`,
  )
}

function actionOf(
  { basePath }: PageContext,
  { workspace }: Team,
  action: 'invite' | 'remove' | 'withdraw',
): string {
  return `${basePath}/workspaces/${workspace.slug}/team/${action}`
}

function memberRow(ctx: PageContext, team: Team, { id, name, email, role }: Team['members'][number]): Html {
  const { texts, user } = ctx
  const words = texts.team
  const isVisitor = email === user?.email
  const person = isolateName(name)
  return html`<li class="row">
${avatarInitial(name, 'person')}
<div class="about">
<h3>${person}${isVisitor && html` <span class="you">${words.you}</span>`}</h3>
<p>${isolateName(email)}</p>
</div>
<p class="role">${texts.roles[role].name}</p>
${
  canRemove(team, role) &&
  html`<details class="more danger" name="risky">
<summary>${isVisitor ? words.leave : words.remove}<span class="unseen"> ${isVisitor ? words.leaveWhat : person}</span></summary>
<form class="opened" method="post" action="${actionOf(ctx, team, 'remove')}">
${hiddenFields(ctx, { user: id })}
<p>${isVisitor ? words.leaveMeans : words.removeMeans(person)}</p>
<button class="risky">${isVisitor ? words.leaveNow : words.removeNow(person)}</button>
</form>
</details>`
}
</li>`
}

/** What the rules would refuse is not offered: owners are the owners' affair, and one has to stay. */
function canRemove({ workspace, members }: Team, role: Role): boolean {
  if (role !== 'owner') return true
  return workspace.role === 'owner' && members.filter((one) => one.role === 'owner').length > 1
}

function invitationRow(
  ctx: PageContext,
  team: Team,
  { id, email, role, expires_at }: Team['invitations'][number],
): Html {
  const { texts } = ctx
  const words = texts.team
  return html`<li class="row">
${avatarInitial(email, 'person')}
<div class="about">
<h3>${isolateName(email)}</h3>
<p class="fine">${words.goodUntil(timeElement(texts.language, expires_at))}</p>
</div>
<p class="role">${texts.roles[role].name}</p>
${
  (role !== 'owner' || team.workspace.role === 'owner') &&
  html`<form method="post" action="${actionOf(ctx, team, 'withdraw')}">
${hiddenFields(ctx, { invitation: id })}
<button class="quiet">${words.withdraw}<span class="unseen"> ${words.withdrawFrom(isolateName(email))}</span></button>
</form>`
}
</li>`
}

function inviteForm(
  ctx: PageContext,
  team: Team,
  problem: Problem | undefined,
  submitted: TeamPageOptions['submitted'],
): Html {
  const { texts } = ctx
  const words = texts.team
  const roles: readonly Role[] =
    team.workspace.role === 'owner' ? ['member', 'admin', 'owner'] : ['member', 'admin']
  const selectedRole = roles.find((role) => role === submitted?.role) ?? 'member'
  const hasError = problem?.fields?.['role'] !== undefined
  return html`<section class="panel" aria-labelledby="invite">
<h2 id="invite">${words.inviteTitle}</h2>
<p>${words.inviteLead}</p>
<form method="post" action="${actionOf(ctx, team, 'invite')}">
${hiddenFields(ctx)}
${inputField({ name: 'email', label: words.email, type: 'email', autocomplete: 'off', value: submitted?.email, problem })}
<fieldset class="choice"${hasError && html` aria-describedby="role-fault"`}>
<legend>${words.role}</legend>
${fieldError(problem, 'role')}
<div class="options">${roles.map(
    (role, index) =>
      html`<label class="option"><input type="radio" name="role" value="${role}"${index === 0 && html` id="role"`}${role === selectedRole && html` checked`}><span><strong>${texts.roles[role].name}</strong> <span class="fine">${texts.roles[role].may}</span></span></label>`,
  )}</div>
</fieldset>
<div class="actions"><button class="main">${words.invite}</button></div>
</form>
</section>`
}
