import { hidden } from './form.ts'
import { page } from './layout.ts'
import { type Html, html, named } from './markup.ts'
import type { PageContext } from './page.ts'

interface Offered {
  readonly token: string
  readonly name: string
  readonly client_id: string
}

interface Secret {
  readonly name: string
  readonly client_id: string
  readonly client_secret: string
}

/** Followed by people and by what looks into their mail alike: only the button makes the secret. */
export function credentialsPage(ctx: PageContext, { token, name, client_id }: Offered): Html {
  const { texts, basePath } = ctx
  const words = texts.credentials
  return page(
    ctx,
    { title: words.title },
    html`<h1>${words.heading(named(name))}</h1>
<p class="lead">${words.lead}</p>
<dl class="facts"><dt>${words.clientId}</dt><dd><code>${client_id}</code></dd></dl>
<p class="fine">${words.replaces}</p>
<form method="post" action="${basePath}/credentials/${token}">
${hidden(ctx)}
<div class="actions"><button class="main">${words.show}</button></div>
</form>`,
  )
}

export function secretPage(ctx: PageContext, { name, client_id, client_secret }: Secret): Html {
  const words = ctx.texts.credentials
  return page(
    ctx,
    { title: words.shownTitle },
    html`<h1>${words.shownHeading(named(name))}</h1>
<p class="caution">${words.keep}</p>
<dl class="facts">
<dt>${words.clientId}</dt><dd><code class="whole">${client_id}</code></dd>
<dt>${words.clientSecret}</dt><dd><code class="whole secret">${client_secret}</code></dd>
</dl>
<p class="fine">${words.selectAll}</p>`,
  )
}
