import type { Context } from 'hono'
import { negotiateLanguage } from '../pages/translations/accept-language.ts'
import type { AppEnv } from './app-env.ts'

/** The language of the caller, for what is written in words. */
export function languageOf(c: Context<AppEnv>): string {
  return negotiateLanguage(c.req.header('Accept-Language'))
}
