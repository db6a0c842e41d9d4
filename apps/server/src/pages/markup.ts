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
export function sanitizeName(name: string): string {
  const visible = name
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
  return visible.trim() || '–'
}

export function isolateName(name: string): Html {
  return html`<bdi>${sanitizeName(name)}</bdi>`
}

/** An instant for readers of the language, in UTC, which is said. */
export function timeElement(language: string, at: string): Html {
  const formatted = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(at))
  return html`<time datetime="${at}">${formatted} UTC</time>`
}
