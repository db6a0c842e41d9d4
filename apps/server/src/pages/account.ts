import type { Connection, Membership } from '@sales-crm/core'
import { hidden, initial, noticeOf } from './form.ts'
import { page } from './layout.ts'
import { type Html, html, instant, named } from './markup.ts'
import type { PageContext } from './page.ts'
import { scopeLists } from './scopes.ts'

interface Account {
  readonly connections: readonly Connection[]
  readonly workspaces: readonly Membership[]
  readonly notice?: string | undefined
}

export function accountPage(ctx: PageContext, { connections, workspaces, notice }: Account): Html {
  const { texts, basePath, user } = ctx
  const words = texts.account
  return page(
    ctx,
    { title: words.title, room: 'wide' },
    html`<h1>${words.title}</h1>
${user && html`<div class="lead"><p>${named(user.name)}</p><p>${named(user.email)}</p></div>`}
${noticeOf(notice)}
<section aria-labelledby="apps">
<h2 id="apps">${words.apps}</h2>
${connections.length === 0 ? html`<p class="none">${words.noApps}</p>` : html`<ul class="rows" role="list">${connections.map((one) => connection(ctx, one))}</ul>`}
</section>
<section aria-labelledby="workspaces">
<h2 id="workspaces">${words.workspaces}</h2>
${workspaces.length === 0 ? html`<p class="none">${words.noWorkspaces}</p>` : html`<ul class="rows" role="list">${workspaces.map((one) => workspace(ctx, one))}</ul>`}
</section>
<section aria-labelledby="security">
<h2 id="security">${words.security}</h2>
<p><a class="button" href="${basePath}/account/password">${words.changePassword}</a></p>
</section>`,
  )
}

function connection(ctx: PageContext, { client_id, app_name, workspace, scopes, created_at, last_used_at }: Connection): Html {
  const { texts, basePath } = ctx
  const words = texts.account
  const app = named(app_name)
  return html`<li class="row">
${initial(app_name, 'app')}
<div class="about">
<h3>${app}</h3>
<p>${words.inWorkspace(named(workspace.name))}</p>
</div>
<div class="dates fine">
<p>${words.connected(instant(texts.language, created_at))}</p>
<p>${words.lastUsed(instant(texts.language, last_used_at))}</p>
<p>${texts.credentials.clientId} ${client_id}</p>
</div>
<details class="more">
<summary>${words.permissions(scopes.length)}</summary>
<div class="opened">${scopeLists(texts, scopes)}</div>
</details>
<details class="more danger" name="risky">
<summary>${words.disconnect}<span class="unseen"> ${app}</span></summary>
<form class="opened" method="post" action="${basePath}/account/apps/revoke">
${hidden(ctx, { workspace: workspace.id, client: client_id })}
<p>${words.disconnectMeans(app)}</p>
<button class="risky">${words.disconnectNow(app)}</button>
</form>
</details>
</li>`
}

function workspace({ texts, basePath }: PageContext, { name, slug, role }: Membership): Html {
  const { team, teamOf } = texts.account
  return html`<li class="row">
${initial(name, 'workspace')}
<div class="about"><h3>${named(name)}</h3><p>${texts.roles[role].name}</p></div>
${role !== 'member' && html`<a class="button" href="${basePath}/workspaces/${slug}/team">${team}<span class="unseen"> ${teamOf(named(name))}</span></a>`}
</li>`
}
