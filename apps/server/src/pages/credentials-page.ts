import { hiddenFields } from './form-fields.ts'
import { renderLayout } from './layout.ts'
import { type Html, html, isolateName } from './markup.ts'
import type { PageContext } from './page-context.ts'

interface CredentialsPageOptions {
  readonly token: string
  readonly name: string
  readonly client_id: string
}

interface SecretPageOptions {
  readonly name: string
  readonly client_id: string
  readonly client_secret: string
}

export function credentialsPage(ctx: PageContext, { token, name, client_id }: CredentialsPageOptions): Html {
  const { texts, basePath } = ctx
  const words = texts.credentials
  return renderLayout(
    ctx,
    { title: words.title },
    html`<h1>${words.heading(isolateName(name))}</h1>
<p class="lead">${words.lead}</p>
<dl class="facts"><dt>${words.clientId}</dt><dd><code>${client_id}</code></dd></dl>
<p class="fine">${words.replaces}</p>
<form method="post" action="${basePath}/credentials/${token}">
${hiddenFields(ctx)}
<div class="actions"><button class="main">${words.show}</button></div>
</form>`,
  )
}

export function secretPage(ctx: PageContext, { name, client_id, client_secret }: SecretPageOptions): Html {
  const words = ctx.texts.credentials
  return renderLayout(
    ctx,
    { title: words.shownTitle },
    html`<h1>${words.shownHeading(isolateName(name))}</h1>
<p class="caution">${words.keep}</p>
<dl class="facts">
<dt>${words.clientId}</dt><dd><code class="whole">${client_id}</code></dd>
<dt>${words.clientSecret}</dt><dd><code class="whole secret">${client_secret}</code></dd>
</dl>
<p class="fine">${words.selectAll}</p>`,
  )
}
