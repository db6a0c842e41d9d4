import { html as template } from 'hono/html'

export type Html = Awaited<ReturnType<typeof template>>

/** Builds markup. Values are escaped unless they are markup themselves. They must not be promises. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return template(strings, ...values) as Html
}

/**
 * Removes from a user-chosen name the characters that change how the text around it reads: bidirectional
 * marks, invisible characters, line breaks, and more than four combining marks in a row. Returns `–` for an
 * empty name.
 */
export function sanitizeName(name: string): string {
  const visibleText = name
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
  return visibleText.trim() || '–'
}

export function isolateName(name: string): Html {
  return html`<bdi>${sanitizeName(name)}</bdi>`
}

/** Formats an instant in UTC for the language. */
export function timeElement(language: string, instant: string): Html {
  const formatted = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(instant))
  return html`<time datetime="${instant}">${formatted} UTC</time>`
}
