import { type Html, html } from './markup.ts'
import type { Translations } from './translations/translations.ts'

/** What an app may do, in words: first what it sees, then what it changes. */
export function scopeLists({ scopes: words }: Translations, scopes: readonly string[]): Html {
  const { see = [], change = [] } = Object.groupBy(scopes, (scope) =>
    scope.endsWith(':read') ? 'see' : 'change',
  )
  const list = (kind: string, listed: readonly string[]) =>
    listed.length > 0 &&
    html`<ul class="${kind}" role="list">${listed.map((scope) => html`<li>${words[scope] ?? scope}</li>`)}</ul>`
  return html`<div class="grants">${list('see', see)}${list('change', change)}</div>`
}
