import { html as template } from 'hono/html'

export type Html = Awaited<ReturnType<typeof template>>

/** Markup; whatever is put into it is escaped, unless it is markup itself. No part of a page is waited for. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return template(strings, ...values) as Html
}

/**
 * A name that someone else chose, without what would change how the text around it reads: direction marks, characters that are not seen,
 * line breaks, towers of accents.
 */
export function shown(name: string): string {
  const seen = name
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
  return seen.trim() || '–'
}

export function named(name: string): Html {
  return html`<bdi>${shown(name)}</bdi>`
}

/** An instant for readers of the language, in UTC, which is said. */
export function instant(language: string, at: string): Html {
  const said = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at))
  return html`<time datetime="${at}">${said} UTC</time>`
}
