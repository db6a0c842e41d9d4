import type { Translations } from './translations/translations.ts'

/** What every page is made with. */
export interface PageContext {
  readonly texts: Translations
  /** The path of the service's public address, without a slash at the end: what each link of ours begins with. */
  readonly basePath: string
  /** Proves that a form was filled in on a page of ours; each form carries it as `csrf`. */
  readonly csrf: string
  /** Who is signed in. */
  readonly user?: { readonly name: string; readonly email: string } | undefined
}

/** What is wrong with a form: its fields, by name, and the sentence above it. The words are in the page's language. */
export interface Problem {
  readonly summary?: string | undefined
  readonly fields?: Readonly<Record<string, string>> | undefined
}
