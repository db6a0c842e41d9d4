import { CrmError, invalidClient, invalidGrant, invalidRequest } from '../errors.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import type { App } from './app.ts'
import { CODE_PREFIX } from './code.ts'
import { idsInHandle } from './handle.ts'
import { type Issued, newGrant } from './issue.ts'
import type { Known } from './parameters.ts'
import { isVerifier, proves } from './pkce.ts'
import { isProgram } from './program.ts'
import { audienceAsked } from './resource.ts'
import { revokeGrant } from './revoke-grants.ts'

const BAD_CODE = 'The code is invalid, has expired, or was used before.'

type Sent = { readonly code: string } & Known<'redirect_uri' | 'code_verifier' | 'resource'>

/**
 * A grant for a code. Whoever has everything right but that the code was used ends the grant of its first use: of two holders of
 * one code, one is a thief. Whoever has less right changes nothing.
 * @param app the one that has authenticated, or the program that has told its name
 * @throws CrmError `invalid_request`, `invalid_grant`
 */
export async function exchangeCode(ports: Ports, app: App, sent: Sent): Promise<Issued> {
  if (sent.code_verifier !== undefined && !isVerifier(sent.code_verifier)) {
    throw invalidRequest('A parameter is invalid.', {
      code_verifier: 'Must be 43 to 128 letters, digits, hyphens, dots, underscores or tildes.',
    })
  }
  const [id] = idsInHandle(CODE_PREFIX, 1, sent.code) ?? []
  if (id === undefined) throw invalidGrant(BAD_CODE)
  const issued = await ports.storage.transact((tx) => redeemed(ports, tx, id, app, sent))
  // Thrown only now, for within the transaction it would take the revocation back.
  if (!issued) throw invalidGrant(BAD_CODE, `A used code was presented again by app ${app.id}: the tokens of its first use are revoked.`)
  return issued
}

/** `undefined` for a code that was used before, once its grant is revoked. */
async function redeemed(ports: Ports, tx: Transaction, id: string, app: App, sent: Sent): Promise<Issued | undefined> {
  const { secrets, now, issuer } = ports
  const seen = await tx.codes.get(id)
  // The member is held before the code, as whoever removes one holds them: neither waits for the other in a circle.
  const member = seen && (await tx.workspace(seen.workspace_id).members.getForShare(seen.user_id))
  const code = seen && (await tx.codes.getForUpdate(id))
  if (!code || code.client_id !== app.id || !secrets.matches(sent.code, code.token_hash)) throw invalidGrant(BAD_CODE)
  if (sent.redirect_uri !== undefined && sent.redirect_uri !== code.redirect_uri) {
    throw invalidGrant('The redirect_uri is not the one the code was sent to.')
  }
  if (!proves(secrets, sent.code_verifier, code.code_challenge)) {
    throw unproven(sent.code_verifier)
  }
  const audience = audienceAsked(sent.resource, issuer, code.audience)
  const at = now()
  if (code.grant_id !== null) {
    await revokeGrant(tx, code.workspace_id, code.grant_id, at)
    return undefined
  }
  if (code.expires_at <= at) throw invalidGrant(BAD_CODE)

  const workspace = await tx.workspaces.get(code.workspace_id)
  if (!workspace || !member || member.removed_at !== null) {
    throw invalidGrant('The user who approved is no member of the workspace any more.')
  }
  const issued = newGrant(ports, code, { audience, workspace }, at, isProgram(app))
  await tx.workspace(code.workspace_id).grants.insert(issued.grant)
  await tx.codes.update({ ...code, grant_id: issued.grant.id, updated_at: at })
  if (app.unused_since !== null) await markUsed(tx, app.id, at)
  return issued
}

/** A program that someone let in is not forgotten. @throws CrmError `invalid_client` for one that was meanwhile */
async function markUsed({ apps }: Transaction, id: string, at: Instant): Promise<void> {
  const app = await apps.getForUpdate(id)
  if (!app) throw invalidClient()
  await apps.update({ ...app, unused_since: null, updated_at: at }, app)
}

function unproven(verifier: string | undefined): CrmError {
  const message =
    verifier === undefined
      ? 'The code was asked for with a code_challenge: send its code_verifier.'
      : 'The code_verifier does not match the code_challenge.'
  return new CrmError('invalid_grant', message, { code_verifier: verifier === undefined ? 'Required.' : 'Must match the code_challenge.' })
}
