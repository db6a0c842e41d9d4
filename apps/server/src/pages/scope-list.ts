import { type Html, html } from './markup.ts'
import type { Translations } from './translations/translations.ts'

/** Lists what the scopes allow an app to do: first what it can read, then what it can change. */
export function scopeLists({ scopes: words }: Translations, scopes: readonly string[]): Html {
  const { see = [], change = [] } = Object.groupBy(scopes, (scope) =>
    scope.endsWith(':read') ? 'see' : 'change',
  )
  const list = (kind: string, kindScopes: readonly string[]) => {
    const items = kindScopes.map((scope) => html`<li>${words[scope] ?? scope}</li>`)
    return items.length > 0 && html`<ul class="${kind}" role="list">${items}</ul>`
  }
  return html`<div class="grants">${list('see', see)}${list('change', change)}</div>`
}
