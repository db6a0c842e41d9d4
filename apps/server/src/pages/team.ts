import type { Role, Team } from '@sales-crm/core'
import { alertOf, faultOf, field, hidden, initial, noticeOf } from './form.ts'
import { page } from './layout.ts'
import { type Html, html, instant, named } from './markup.ts'
import type { PageContext, Problem } from './page.ts'

interface Shown {
  readonly team: Team
  readonly notice?: string | undefined
  readonly problem?: Problem | undefined
  /** What was filled in before, when it is to be mended. */
  readonly sent?: { readonly email?: string | undefined; readonly role?: string | undefined } | undefined
}

export function teamPage(ctx: PageContext, { team, notice, problem, sent }: Shown): Html {
  const { texts, basePath } = ctx
  const words = texts.team
  const { members, invitations, workspace } = team
  return page(
    ctx,
    { title: words.title, problem, room: 'wide' },
    html`<p class="back"><a href="${basePath}/account">${texts.layout.account}</a></p>
<h1>${words.heading(named(workspace.name))}</h1>
${noticeOf(notice)}
${alertOf(ctx, problem, ['email', 'role'])}
<section aria-labelledby="members">
<h2 id="members">${words.members} <span class="count">${members.length}</span></h2>
<ul class="rows" role="list">${members.map((one) => member(ctx, team, one))}</ul>
</section>
<section aria-labelledby="invitations">
<h2 id="invitations">${words.invitations} <span class="count">${invitations.length}</span></h2>
${invitations.length === 0 ? html`<p class="none">${words.noInvitations}</p>` : html`<ul class="rows" role="list">${invitations.map((one) => invitation(ctx, team, one))}</ul>`}
</section>
${invite(ctx, team, problem, sent)}`,
  )
}

function actionOf({ basePath }: PageContext, { workspace }: Team, what: 'invite' | 'remove' | 'withdraw'): string {
  return `${basePath}/workspaces/${workspace.slug}/team/${what}`
}

function member(ctx: PageContext, team: Team, { id, name, email, role }: Team['members'][number]): Html {
  const { texts, user } = ctx
  const words = texts.team
  const isVisitor = email === user?.email
  const person = named(name)
  return html`<li class="row">
${initial(name, 'person')}
<div class="about">
<h3>${person}${isVisitor && html` <span class="you">${words.you}</span>`}</h3>
<p>${named(email)}</p>
</div>
<p class="role">${texts.roles[role].name}</p>
${
  mayRemove(team, role) &&
  html`<details class="more danger" name="risky">
<summary>${isVisitor ? words.leave : words.remove}<span class="unseen"> ${isVisitor ? words.leaveWhat : person}</span></summary>
<form class="opened" method="post" action="${actionOf(ctx, team, 'remove')}">
${hidden(ctx, { user: id })}
<p>${isVisitor ? words.leaveMeans : words.removeMeans(person)}</p>
<button class="risky">${isVisitor ? words.leaveNow : words.removeNow(person)}</button>
</form>
</details>`
}
</li>`
}

/** What the rules would refuse is not offered: owners are the owners' affair, and one has to stay. */
function mayRemove({ workspace, members }: Team, role: Role): boolean {
  if (role !== 'owner') return true
  return workspace.role === 'owner' && members.filter((one) => one.role === 'owner').length > 1
}

function invitation(ctx: PageContext, team: Team, { id, email, role, expires_at }: Team['invitations'][number]): Html {
  const { texts } = ctx
  const words = texts.team
  return html`<li class="row">
${initial(email, 'person')}
<div class="about">
<h3>${named(email)}</h3>
<p class="fine">${words.goodUntil(instant(texts.language, expires_at))}</p>
</div>
<p class="role">${texts.roles[role].name}</p>
${
  (role !== 'owner' || team.workspace.role === 'owner') &&
  html`<form method="post" action="${actionOf(ctx, team, 'withdraw')}">
${hidden(ctx, { invitation: id })}
<button class="quiet">${words.withdraw}<span class="unseen"> ${words.withdrawFrom(named(email))}</span></button>
</form>`
}
</li>`
}

function invite(ctx: PageContext, team: Team, problem: Problem | undefined, sent: Shown['sent']): Html {
  const { texts } = ctx
  const words = texts.team
  const roles: readonly Role[] = team.workspace.role === 'owner' ? ['member', 'admin', 'owner'] : ['member', 'admin']
  const chosen = roles.find((role) => role === sent?.role) ?? 'member'
  const fault = problem?.fields?.['role'] !== undefined
  return html`<section class="panel" aria-labelledby="invite">
<h2 id="invite">${words.inviteTitle}</h2>
<p>${words.inviteLead}</p>
<form method="post" action="${actionOf(ctx, team, 'invite')}">
${hidden(ctx)}
${field({ name: 'email', label: words.email, type: 'email', autocomplete: 'off', value: sent?.email, problem })}
<fieldset class="choice"${fault && html` aria-describedby="role-fault"`}>
<legend>${words.role}</legend>
${faultOf(problem, 'role')}
<div class="options">${roles.map(
    (role, index) =>
      html`<label class="option"><input type="radio" name="role" value="${role}"${index === 0 && html` id="role"`}${role === chosen && html` checked`}><span><strong>${texts.roles[role].name}</strong> <span class="fine">${texts.roles[role].may}</span></span></label>`,
  )}</div>
</fieldset>
<div class="actions"><button class="main">${words.invite}</button></div>
</form>
</section>`
}
