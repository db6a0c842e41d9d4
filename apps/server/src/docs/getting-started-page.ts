import { type Html, html } from '../pages/markup.ts'
import { PROGRAMS } from '../process/program-names.ts'
import { apiBasics } from './api-basics.ts'
import { type DocsContext, renderDocsLayout } from './docs-layout.ts'
import { type GettingStartedSteps, gettingStartedSteps } from './getting-started-steps.ts'

/** Renders the block to paste that has a name. */
type CodeBlock = (name: keyof GettingStartedSteps) => Html

export function gettingStartedPage(ctx: DocsContext): Html {
  const steps = gettingStartedSteps(ctx.baseUrl)
  const codeBlock: CodeBlock = (name) => html`<pre id="${name}"><code>${steps[name]}</code></pre>`
  return renderDocsLayout(
    ctx,
    { title: 'Getting started', path: '/docs/start', width: 'wide' },
    html`<p class="lead">Register an app, get a token, call the API and receive a webhook in ten minutes.
Paste the blocks into one terminal with bash or zsh, in order; if a block asks for input, type it and press
Enter. You need <code>curl</code>, and Node.js for the webhook.</p>
<p class="fine">You also need a user account on this service: an owner or admin of a workspace can invite you,
and <code>${PROGRAMS.demo}</code> prints an e-mail address and a password. An MCP client needs none of these
steps: <a href="#mcp">connect it by URL</a>.</p>

${registrationSection(codeBlock)}

${mailSection(codeBlock)}

${authorizationSection(ctx, codeBlock)}

${callSection(ctx, codeBlock)}

${webhookSection(codeBlock)}

${mcpSection(ctx)}

${apiBasics(ctx)}`,
  )
}

function registrationSection(codeBlock: CodeBlock): Html {
  return html`<section aria-labelledby="app">
<h2 id="app">1. Register an app</h2>
<p>API calls are made by an app, on behalf of a member who authorizes it. The first block sets the service’s
URL, defines <code>field</code>, which extracts a value from a response, and asks for the e-mail address that
receives the link to the app’s secret:</p>
${codeBlock('begin')}
<p>The app requests scopes for people and webhooks. The browser is redirected to <code>localhost:8976</code>
after the authorization; no server has to listen there.</p>
${codeBlock('register')}
</section>`
}

function mailSection(codeBlock: CodeBlock): Html {
  return html`<section aria-labelledby="mailed">
<h2 id="mailed">2. Open the link in the e-mail</h2>
<p>The e-mail arrives within seconds. Its link is valid for 15 minutes and one use. A service without
<code>SMTP_URL</code> sends no e-mail but writes each one to a file in <code>DATA_DIR/mail</code>. This
command prints the link from such a file; run it in the folder of the service:</p>
${codeBlock('mail')}
<p>Open the link, press the button and copy the client secret. It is shown only once. This block reads it
without showing it:</p>
${codeBlock('secret')}
</section>`
}

function authorizationSection({ baseUrl }: DocsContext, codeBlock: CodeBlock): Html {
  return html`<section aria-labelledby="authorize">
<h2 id="authorize">3. Authorize the app</h2>
<p>Open the URL that this prints in a browser, sign in and allow access:</p>
${codeBlock('authorize')}
<p>The browser then reports that <code>localhost:8976</code> cannot be reached. This is expected: the code is
in the URL. Copy the whole URL from the address bar, and paste it within ten minutes:</p>
${codeBlock('address')}
${codeBlock('exchange')}
<p class="fine">A real app listens at its redirect URI, sends a random <code>state</code> with each request,
and verifies it and <code>iss</code>, which must be <code>${baseUrl}</code>. OAuth client libraries do
this; they configure themselves from the service’s URL.</p>
</section>`
}

function callSection({ basePath }: DocsContext, codeBlock: CodeBlock): Html {
  return html`<section aria-labelledby="call">
<h2 id="call">4. Call the API</h2>
<p>A token belongs to one workspace, so calls do not name it. Create a person, then search for it by the
beginning of a name:</p>
${codeBlock('create')}
${codeBlock('find')}
<p>The token is valid for one hour. This exchanges the refresh token for a new pair of tokens; each refresh
token works once:</p>
${codeBlock('refresh')}
<p>To try operations in the <a href="${basePath}/docs">API reference</a>, print the token with <code>echo
"$TOKEN"</code> and paste it there.</p>
</section>`
}

function webhookSection(codeBlock: CodeBlock): Html {
  return html`<section aria-labelledby="hooks">
<h2 id="hooks">5. Receive a webhook</h2>
<p>Deliveries are sent to an <code>https</code> URL. Its address must be public, unless the service runs on
your machine:</p>
<ul>
<li><strong>The service runs elsewhere.</strong> Open a tunnel to <code>http://localhost:8443</code>, or use
another TLS proxy, and note its <code>https</code> URL. Skip the next two blocks.</li>
<li><strong>The service runs on this machine.</strong> Create a certificate, stop the service, and restart it
in this folder in a second terminal, with the two settings of the second block (which starts the demo) before
its command. Use this for development only. The URL is <code>https://localhost:8443/</code>.</li>
</ul>
${codeBlock('certificate')}
${codeBlock('restart')}
<p>Create the webhook. Only this response contains the secret that signs the deliveries:</p>
${codeBlock('hook')}
${codeBlock('webhook')}
<p>This receiver verifies the signature before it parses the body. If it finds the certificate, it serves TLS
itself:</p>
${codeBlock('receiver')}
<p>When it listens, send a test event and trigger a real one. The receiver prints both:</p>
${codeBlock('test')}
${codeBlock('event')}
<p>The delivery log shows each delivery, its status and its next attempt. The last line stops the
receiver.</p>
${codeBlock('log')}
${codeBlock('end')}
<p class="fine">Deliveries arrive at least once and in any order: use the <code>id</code> to detect
duplicates. A failed delivery is retried three times, 15 minutes apart.</p>
</section>`
}

function mcpSection({ baseUrl }: DocsContext): Html {
  return html`<section aria-labelledby="mcp">
<h2 id="mcp">Connect an MCP client</h2>
<p>Add <code>${baseUrl}/mcp</code> to the client as a remote HTTP server. The client registers itself and
opens a browser, in which you sign in and allow access. No other configuration is needed.</p>
</section>`
}
