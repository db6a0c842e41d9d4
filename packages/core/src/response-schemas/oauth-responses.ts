import * as v from 'valibot'
import type { AppView } from '../features/oauth/server/create-app.ts'
import type { TokenResponse } from '../features/oauth/tokens/issue-tokens.ts'
import { SCOPES } from '../kernel/actor.ts'
import {
  countResponse as count,
  instantResponse as instant,
  responseSchema,
  textResponse as text,
  uuidResponse as uuid,
} from '../kernel/response-schemas.ts'

/** Responses of the authorization server to apps. A token response is not wrapped in `data`. */
export const oauthResponses = {
  app: responseSchema<Omit<AppView, 'email'> & { readonly email: string }>()({
    client_id: uuid,
    name: text,
    email: text,
    redirect_uris: v.array(text),
    scopes: v.array(v.picklist(SCOPES)),
    created_at: instant,
  }),
  rotated: v.strictObject({ client_id: uuid }),
  revoked: v.strictObject({ revoked: v.literal(true) }),
  tokens: responseSchema<TokenResponse>()({
    access_token: text,
    refresh_token: text,
    token_type: v.literal('Bearer'),
    expires_in: count,
    workspace_slug: text,
  }),
}
