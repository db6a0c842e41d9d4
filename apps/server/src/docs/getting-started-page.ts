import { type Html, html } from '../pages/markup.ts'
import { apiBasics } from './api-basics.ts'
import { type DocsContext, renderDocsLayout } from './docs-layout.ts'
import { type GettingStartedSteps, gettingStartedSteps } from './getting-started-steps.ts'

export function gettingStartedPage(ctx: DocsContext): Html {
  const steps = gettingStartedSteps(ctx.baseUrl)
  const codeBlock = (name: keyof GettingStartedSteps) =>
    html`<pre id="${name}"><code>${steps[name]}</code></pre>`
  return renderDocsLayout(
    ctx,
    { title: 'Getting started', path: '/docs/start', width: 'wide' },
    html`<p class="lead">From this address to a token, a first call and a webhook, in ten minutes. Paste the blocks into one terminal with bash or zsh, one
after the other; where one asks for something, type it and press Enter. They need <code>curl</code>, and Node.js for the webhook.</p>
<p class="fine">You also need somebody who can sign in here, to let your app in: an owner or admin of a workspace invites you, and
<code>npm run demo</code> prints an e-mail address and a password. A tool that speaks MCP needs none of this: <a href="#mcp">give it an address</a>.</p>

<section aria-labelledby="app">
<h2 id="app">1. Register an app</h2>
<p>An app is what calls. A member lets it in, and it acts for that member. The first block says where all this is, has <code>field</code> take a value
out of an answer, and asks where the link to the app’s secret is to be mailed:</p>
${codeBlock('begin')}
<p>The app may then read and write people, and have webhooks. <code>localhost:8976</code> is where browsers are sent with the answer; nothing has to
listen there.</p>
${codeBlock('register')}
</section>

<section aria-labelledby="mailed">
<h2 id="mailed">2. Follow the link in the mail</h2>
<p>It comes within seconds and is good for 15 minutes, once. A service on your own machine that was given no <code>SMTP_URL</code> sends nothing:
each mail is a file in <code>DATA_DIR/mail</code>. In its folder this prints the link:</p>
${codeBlock('mail')}
<p>Open the link, press the button and copy the client secret. It is shown once. It does not appear as you paste it here:</p>
${codeBlock('secret')}
</section>

<section aria-labelledby="let-in">
<h2 id="let-in">3. Let it in</h2>
<p>Open in a browser what this prints, sign in and allow:</p>
${codeBlock('authorize')}
<p>The browser then says that <code>localhost:8976</code> cannot be reached. That is right: the code is in the address. Copy all of it from the
address bar, and paste it within ten minutes:</p>
${codeBlock('address')}
${codeBlock('exchange')}
<p class="fine">A real app listens there, sends a <code>state</code> of its own each time and compares it, and <code>iss</code> with
<code>${ctx.baseUrl}</code>. Client libraries for OAuth do so by themselves, from the address alone.</p>
</section>

<section aria-labelledby="call">
<h2 id="call">4. Call</h2>
<p>A token is for one workspace; no call names it. Create a person, and find her by how her names begin:</p>
${codeBlock('create')}
${codeBlock('find')}
<p>The token is good for an hour. This gives another one, and another refresh token: each works once.</p>
${codeBlock('refresh')}
<p>Paste <code>echo "$TOKEN"</code>, and what it prints lets you try everything in the <a href="${ctx.basePath}/docs">API reference</a>.</p>
</section>

<section aria-labelledby="hooks">
<h2 id="hooks">5. Receive a webhook</h2>
<p>Deliveries go to an <code>https</code> address. It has to be a public one, unless this service is on your own machine:</p>
<ul>
<li><strong>The service is somewhere else.</strong> Open a tunnel to <code>http://localhost:8443</code>, or use whatever ends TLS for you, and note the
<code>https</code> address it has. Skip the next two blocks.</li>
<li><strong>The service is on this machine.</strong> Make a certificate, stop the service, and start it again in this folder, in a terminal of its own, as it
was started before, with the two settings of the second block in front: that block starts the demo. For development only. The address is
<code>https://localhost:8443/</code>.</li>
</ul>
${codeBlock('certificate')}
${codeBlock('restart')}
<p>Create the webhook. Its secret, with which deliveries are signed, is in this one answer:</p>
${codeBlock('hook')}
${codeBlock('webhook')}
<p>A receiver that verifies before it reads. With a certificate beside it, it speaks TLS itself:</p>
${codeBlock('receiver')}
<p>Once it listens, have an event sent that means nothing, and cause a real one. The receiver names both:</p>
${codeBlock('test')}
${codeBlock('event')}
<p>What was sent, what became of it, and when it is tried again. The last line stops the receiver.</p>
${codeBlock('log')}
${codeBlock('end')}
<p class="fine">Deliveries come at least once and in no order: a receiver that counts keeps each <code>id</code>. One that fails is tried again three
times, 15 minutes apart.</p>
</section>

<section aria-labelledby="mcp">
<h2 id="mcp">Connect a tool by MCP</h2>
<p>Give the tool this address, as a remote server over HTTP: <code>${ctx.baseUrl}/mcp</code>. It registers itself, and a browser opens for you to sign
in and allow. There is nothing else to set up.</p>
</section>

${apiBasics(ctx)}`,
  )
}
