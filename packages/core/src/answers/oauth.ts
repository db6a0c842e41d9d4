import * as v from 'valibot'
import { SCOPES } from '../actor.ts'
import type { AppView } from '../oauth/create-app.ts'
import type { TokenResponse } from '../oauth/issue.ts'
import { answerOf, count, instant, text, uuid } from './answer.ts'

/** What the authorization server answers apps. The pair of tokens stands by itself, and not under `data`. */
export const oauthAnswers = {
  app: answerOf<Omit<AppView, 'email'> & { readonly email: string }>()({
    client_id: uuid,
    name: text,
    email: text,
    redirect_uris: v.array(text),
    scopes: v.array(v.picklist(SCOPES)),
    created_at: instant,
  }),
  rotated: v.strictObject({ client_id: uuid }),
  revoked: v.strictObject({ revoked: v.literal(true) }),
  tokens: answerOf<TokenResponse>()({
    access_token: text,
    refresh_token: text,
    token_type: v.literal('Bearer'),
    expires_in: count,
    workspace_slug: text,
  }),
}
