import type { Translations } from './translations/translations.ts'

export interface PageContext {
  readonly texts: Translations
  /** Path of the service's public URL, without a trailing slash. Every link begins with it. */
  readonly basePath: string
  /** Origin of the service's public URL. Given for the page of the console. */
  readonly origin?: string
  /** The page that a sign-in leads to, within `basePath`. Given with `user`. */
  readonly startPath?: string
  /** CSRF token, which each form sends as `csrf`. */
  readonly csrf: string
  /** The signed-in user. */
  readonly user?: { readonly name: string; readonly email: string } | undefined
}

/** Errors of a form, in the language of the page: a summary, and messages by field name. */
export interface FormErrors {
  readonly summary?: string | undefined
  readonly fields?: Readonly<Record<string, string>> | undefined
}
