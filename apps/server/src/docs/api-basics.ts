import { type Html, html } from '../pages/markup.ts'
import type { DocsContext } from './docs-layout.ts'

export function apiBasics({ basePath }: DocsContext): Html {
  const row = (name: string, text: Html) => html`<tr><th scope="row">${name}</th><td>${text}</td></tr>`
  return html`<section aria-labelledby="know">
<h2 id="know">Worth knowing</h2>
<table>
<tbody>
${row(
  'Errors',
  html`<code>{"error": {"code", "message", "request_id", "fields"}}</code>. Decide by <code>code</code>; <code>fields</code> names every bad field at
once. Worth trying again are a 429, after <code>Retry-After</code> seconds, and a 500, a few times.`,
)}
${row(
  'Tokens',
  html`<code>token_expired</code> means refresh; <code>unauthorized</code> means that the app is let in no more, or never was. Of several refreshes with
one refresh token one wins.`,
)}
${row(
  'Paging',
  html`<code>?page=2&amp;per_page=100</code>, at most 100, and 50 where nothing is said. Go on while <code>meta.has_more</code> is true.
<code>order_by</code> and <code>order</code> sort.`,
)}
${row(
  'Changes',
  html`A PATCH changes the fields it names, and <code>null</code> empties one. A name that is no field is refused, and the nearest one is told.`,
)}
${row(
  'Sending twice',
  html`With <code>Idempotency-Key</code>, new for each record, a POST of a person, company or deal may be sent again for 24 hours: it makes one, and
gives the first answer.`,
)}
${row(
  'Limits',
  html`A minute: 1000 GET, 200 POST, 200 PATCH and 100 DELETE for each app, unless the operator says otherwise. <code>X-RateLimit-Remaining</code> and
<code>X-RateLimit-Reset</code> are on every answer.`,
)}
${row('Support', html`Every answer has an <code>X-Request-ID</code>. Quote it, and it is found in the log of the service.`)}
</tbody>
</table>
<p class="next"><a href="${basePath}/docs">All operations, to read and to try</a> · <a href="${basePath}/openapi.json">openapi.json</a>, for client generators</p>
</section>`
}
