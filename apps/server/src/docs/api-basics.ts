import { type Html, html } from '../pages/markup.ts'
import type { DocsContext } from './docs-layout.ts'

export function apiBasics({ basePath }: DocsContext): Html {
  const row = (name: string, text: Html) => html`<tr><th scope="row">${name}</th><td>${text}</td></tr>`
  return html`<section aria-labelledby="know">
<h2 id="know">API basics</h2>
<table>
<tbody>
${row(
  'Errors',
  html`<code>{"error": {"code", "message", "request_id", "fields"}}</code>. Programs should use
<code>code</code>; <code>fields</code> contains every invalid field. Retry a 429 after
<code>Retry-After</code> seconds, and a 500 a few times.`,
)}
${row(
  'Tokens',
  html`<code>token_expired</code>: refresh the token. <code>unauthorized</code>: the app’s access was revoked
or never granted. If a refresh token is used several times at once, one request succeeds.`,
)}
${row(
  'Paging',
  html`<code>?page=2&amp;per_page=100</code>; the default is 50 and the maximum 100. Continue while
<code>meta.has_more</code> is true. <code>order_by</code> and <code>order</code> sort.`,
)}
${row(
  'Updates',
  html`A PATCH changes the fields in its body, and <code>null</code> clears a field. An unknown field is an
error that suggests the most similar name.`,
)}
${row(
  'Idempotency',
  html`A POST of a person, company or deal with an <code>Idempotency-Key</code>, a new one for each record,
can be repeated for 24 hours: it creates one record and returns the first response.`,
)}
${row(
  'Rate limits',
  html`Per app and minute 1000 GET, 200 POST, 200 PATCH and 100 DELETE calls, unless the operator changed the
limits. Every response has <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code>.`,
)}
${row('Support', html`Include the <code>X-Request-ID</code> of a response in support requests; the service logs it.`)}
</tbody>
</table>
<p class="next"><a href="${basePath}/docs">API reference</a> ·
<a href="${basePath}/openapi.json">openapi.json</a> for client generators</p>
</section>`
}
