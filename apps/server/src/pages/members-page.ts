import type { Role, WorkspaceMembers } from '@sales-crm/core'
import { mayManage } from '@sales-crm/core/browser'
import {
  avatarInitial,
  errorSummary,
  fieldError,
  hiddenFields,
  inputField,
  statusParagraph,
} from './form-fields.ts'
import { renderLayout } from './layout.ts'
import { type Html, html, isolateName, timeElement } from './markup.ts'
import type { FormErrors, PageContext } from './page-context.ts'

const INVITED_ROLES: readonly Role[] = ['member', 'admin', 'owner']

interface MembersPageOptions {
  readonly view: WorkspaceMembers
  readonly message?: string | undefined
  /** The link of a new invitation, where no mail server is set. It is shown once. */
  readonly link?: { readonly email: string; readonly href: string } | undefined
  readonly formErrors?: FormErrors | undefined
  /** Values from a rejected invitation. */
  readonly submitted?: { readonly email?: string | undefined; readonly role?: string | undefined } | undefined
}

export function membersPage(
  ctx: PageContext,
  { view, message, link, formErrors, submitted }: MembersPageOptions,
): Html {
  const { texts, basePath } = ctx
  const words = texts.members
  const { members, invitations, workspace } = view
  return renderLayout(
    ctx,
    { title: words.title, formErrors, width: 'wide' },
    html`<p class="back"><a href="${basePath}/account">${texts.layout.account}</a></p>
<h1>${words.heading(isolateName(workspace.name))}</h1>
${statusParagraph(message)}
${invitationLink(ctx, link)}
${errorSummary(ctx, formErrors, ['email', 'role'])}
<section aria-labelledby="members">
<h2 id="members">${words.members} <span class="count">${members.length}</span></h2>
<ul class="rows" role="list">${members.map((one) => memberRow(ctx, view, one))}</ul>
</section>
<section aria-labelledby="invitations">
<h2 id="invitations">${words.invitations} <span class="count">${invitations.length}</span></h2>
${
  invitations.length === 0
    ? html`<p class="none">${words.noInvitations}</p>`
    : html`<ul class="rows" role="list">${invitations.map((one) => invitationRow(ctx, view, one))}</ul>`
}
</section>
${stoppedWebhooks(ctx, view)}
${inviteForm(ctx, view, formErrors, submitted)}`,
  )
}

function invitationLink({ texts }: PageContext, link: MembersPageOptions['link']): Html {
  if (!link) return html``
  const words = texts.members
  return html`<section class="panel" role="status" aria-labelledby="link">
<h2 id="link">${words.linkTitle(isolateName(link.email))}</h2>
<p>${words.linkMeans}</p>
<p><code class="whole secret">${link.href}</code></p>
</section>`
}

function actionOf(
  { basePath }: PageContext,
  { workspace }: WorkspaceMembers,
  action: 'invite' | 'remove' | 'withdraw',
): string {
  return `${basePath}/workspaces/${workspace.slug}/members/${action}`
}

function memberRow(
  ctx: PageContext,
  view: WorkspaceMembers,
  { id, name, email, role }: WorkspaceMembers['members'][number],
): Html {
  const { texts, user } = ctx
  const words = texts.members
  const isSelf = email === user?.email
  const person = isolateName(name)
  const [action, target] = isSelf ? [words.leave, words.leaveWhat] : [words.remove, person]
  return html`<li class="row">
${avatarInitial(name, 'person')}
<div class="about">
<h3>${person}${isSelf && html` <span class="you">${words.you}</span>`}</h3>
<p>${isolateName(email)}</p>
</div>
<p class="role">${texts.roles[role].name}</p>
${
  canRemove(view, role) &&
  html`<details class="more danger" name="risky">
<summary>${action}<span class="unseen"> ${target}</span></summary>
<form class="opened" method="post" action="${actionOf(ctx, view, 'remove')}">
${hiddenFields(ctx, { user: id })}
<p>${isSelf ? words.leaveMeans : words.removeMeans(person)}</p>
<button class="risky">${isSelf ? words.leaveNow : words.removeNow(person)}</button>
</form>
</details>`
}
</li>`
}

/** Hides removals that the core rejects: only owners can remove owners, and the last owner must stay. */
function canRemove({ workspace, members }: WorkspaceMembers, role: Role): boolean {
  const isLastOwner = role === 'owner' && members.filter((one) => one.role === 'owner').length === 1
  return !isLastOwner && mayManage(workspace.role, role)
}

function invitationRow(
  ctx: PageContext,
  view: WorkspaceMembers,
  { id, email, role, expires_at }: WorkspaceMembers['invitations'][number],
): Html {
  const { texts } = ctx
  const words = texts.members
  const withdrawnInvitation = words.withdrawFrom(isolateName(email))
  return html`<li class="row">
${avatarInitial(email, 'person')}
<div class="about">
<h3>${isolateName(email)}</h3>
<p class="fine">${words.goodUntil(timeElement(texts.language, expires_at))}</p>
</div>
<p class="role">${texts.roles[role].name}</p>
${
  mayManage(view.workspace.role, role) &&
  html`<form method="post" action="${actionOf(ctx, view, 'withdraw')}">
${hiddenFields(ctx, { invitation: id })}
<button class="quiet">${words.withdraw}<span class="unseen"> ${withdrawnInvitation}</span></button>
</form>`
}
</li>`
}

/** Webhooks deliver nothing once who created them is no owner or admin. The console has a page for each. */
function stoppedWebhooks(
  { texts, basePath }: PageContext,
  { workspace, stopped_webhooks }: WorkspaceMembers,
): Html {
  const words = texts.members
  if (stopped_webhooks.length === 0) return html``
  const rows = stopped_webhooks.map(
    ({ id, url, creator }) => html`<li class="row">
<div class="about">
<h3><a href="${basePath}/w/${workspace.slug}/settings/webhooks/${id}">${isolateName(url)}</a></h3>
<p>${creator ? words.webhookOf(isolateName(creator.name)) : words.webhookOfNobody}</p>
</div>
</li>`,
  )
  return html`<section aria-labelledby="stopped-webhooks">
<h2 id="stopped-webhooks">${words.stoppedWebhooks} <span class="count">${stopped_webhooks.length}</span></h2>
<p>${words.stoppedWebhooksMean}</p>
<ul class="rows" role="list">${rows}</ul>
</section>`
}

function inviteForm(
  ctx: PageContext,
  view: WorkspaceMembers,
  formErrors: FormErrors | undefined,
  submitted: MembersPageOptions['submitted'],
): Html {
  const { texts } = ctx
  const words = texts.members
  const roles = INVITED_ROLES.filter((role) => mayManage(view.workspace.role, role))
  const selectedRole = roles.find((role) => role === submitted?.role) ?? 'member'
  const hasError = formErrors?.fields?.['role'] !== undefined
  const options = roles.map((role, index) => roleOption(texts, role, index === 0, role === selectedRole))
  return html`<section class="panel" aria-labelledby="invite">
<h2 id="invite">${words.inviteTitle}</h2>
<p>${words.inviteLead}</p>
<form method="post" action="${actionOf(ctx, view, 'invite')}">
${hiddenFields(ctx)}
${inputField({
  ...{ name: 'email', label: words.email, type: 'email', autocomplete: 'off' },
  value: submitted?.email,
  formErrors,
})}
<fieldset class="choice"${hasError && html` aria-describedby="role-error"`}>
<legend>${words.role}</legend>
${fieldError(formErrors, 'role')}
<div class="options">${options}</div>
</fieldset>
<div class="actions"><button class="main">${words.invite}</button></div>
</form>
</section>`
}

function roleOption(
  { roles }: PageContext['texts'],
  role: Role,
  isFirst: boolean,
  isSelected: boolean,
): Html {
  const { name, may } = roles[role]
  const attributes = html`${isFirst && html` id="role"`}${isSelected && html` checked`}`
  const input = html`<input type="radio" name="role" value="${role}"${attributes}>`
  const label = html`<span><strong>${name}</strong> <span class="fine">${may}</span></span>`
  return html`<label class="option">${input}${label}</label>`
}
