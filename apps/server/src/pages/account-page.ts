import { CONSOLE_CLIENT_ID, type ConnectedApp, type Membership } from '@sales-crm/core'
import { avatarInitial, hiddenFields, statusParagraph } from './form-fields.ts'
import { renderLayout } from './layout.ts'
import { type Html, html, isolateName, timeElement } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { scopeLists } from './scope-list.ts'

interface AccountPageOptions {
  readonly connections: readonly ConnectedApp[]
  readonly workspaces: readonly Membership[]
  readonly message?: string | undefined
  /** Offers to disconnect all apps, since they keep their access when the password changes. */
  readonly offersDisconnection?: boolean
}

export function accountPage(
  ctx: PageContext,
  { connections, workspaces, message, offersDisconnection = false }: AccountPageOptions,
): Html {
  const { texts, basePath, user } = ctx
  const words = texts.account
  const otherApps = connections.filter(({ client_id }) => client_id !== CONSOLE_CLIENT_ID).length
  return renderLayout(
    ctx,
    { title: words.title, width: 'wide' },
    html`<h1>${words.title}</h1>
${user && html`<div class="lead"><p>${isolateName(user.name)}</p><p>${isolateName(user.email)}</p></div>`}
${statusParagraph(message)}
${offersDisconnection && otherApps > 0 && disconnectAllForm(ctx, otherApps)}
<section aria-labelledby="apps">
<h2 id="apps">${words.apps}</h2>
${
  connections.length === 0
    ? html`<p class="none">${words.noApps}</p>`
    : html`<ul class="rows" role="list">${connections.map((one) => connectionRow(ctx, one))}</ul>`
}
</section>
<section aria-labelledby="workspaces">
<h2 id="workspaces">${words.workspaces}</h2>
${
  workspaces.length === 0
    ? html`<p class="none">${words.noWorkspaces}</p>`
    : html`<ul class="rows" role="list">${workspaces.map((one) => workspaceRow(ctx, one))}</ul>`
}
</section>
<section aria-labelledby="security">
<h2 id="security">${words.security}</h2>
<div class="actions"><a class="button" href="${basePath}/account/password">${words.changePassword}</a>
<form method="post" action="${basePath}/sign-out/everywhere">
${hiddenFields(ctx)}
<button>${words.signOutEverywhere}</button>
</form></div>
</section>`,
  )
}

function disconnectAllForm(ctx: PageContext, count: number): Html {
  const words = ctx.texts.account
  return html`<form class="caution" method="post" action="${ctx.basePath}/account/apps/revoke-all">
${hiddenFields(ctx)}
<p>${words.stillConnected(count)}</p>
<p><button class="risky">${words.disconnectAll}</button></p>
</form>`
}

function connectionRow(
  ctx: PageContext,
  { client_id, app_name, workspace, scopes, created_at, last_used_at }: ConnectedApp,
): Html {
  const { texts, basePath } = ctx
  const words = texts.account
  const app = isolateName(app_name)
  const isConsole = client_id === CONSOLE_CLIENT_ID
  return html`<li class="row">
${avatarInitial(app_name, 'app')}
<div class="about">
<h3>${app}</h3>
<p>${words.inWorkspace(isolateName(workspace.name))}</p>
</div>
<div class="dates fine">
<p>${words.connected(timeElement(texts.language, created_at))}</p>
<p>${words.lastUsed(timeElement(texts.language, last_used_at))}</p>
<p>${texts.credentials.clientId} ${client_id}</p>
</div>
<details class="more">
<summary>${words.permissions(scopes.length)}</summary>
<div class="opened">${scopeLists(texts, scopes)}</div>
</details>
<details class="more danger" name="risky">
<summary>${words.disconnect}<span class="unseen"> ${app}</span></summary>
<form class="opened" method="post" action="${basePath}/account/apps/revoke">
${hiddenFields(ctx, { workspace: workspace.id, client: client_id })}
<p>${isConsole ? words.endSessionsMeans : words.disconnectMeans(app)}</p>
<button class="risky">${isConsole ? words.endSessions : words.disconnectNow(app)}</button>
</form>
</details>
</li>`
}

function workspaceRow({ texts, basePath, startPath }: PageContext, { name, slug, role }: Membership): Html {
  const { members, membersOf } = texts.account
  const membersLabel = html`${members}<span class="unseen"> ${membersOf(isolateName(name))}</span>`
  return html`<li class="row">
${avatarInitial(name, 'workspace')}
<div class="about"><h3>${isolateName(name)}</h3><p>${texts.roles[role].name}</p></div>
<div class="actions">
${startPath === '/' && html`<a class="button" href="${basePath}/w/${slug}/">${texts.account.openWorkspace(isolateName(name))}</a>`}
${role !== 'member' && html`<a class="button" href="${basePath}/workspaces/${slug}/members">${membersLabel}</a>`}
</div>
</li>`
}
