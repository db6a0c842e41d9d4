import { findByToken } from '../../engine/find-by-token.ts'
import { createOpaqueToken } from '../../engine/opaque-token.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { OneTimeLink } from '../../schema/one-time-link.ts'

const PREFIX = 'crm_ln_'

/** What a link is good for, and the app or the user it is about. */
type LinkSubject = Pick<OneTimeLink, 'purpose' | 'subject_id'>

/**
 * The token of a link in place of those before, which are good for nothing from now on. Whom it is about is held: of two at once the
 * second finds the link of the first.
 */
export async function createLink(
  tx: Transaction,
  { newId, random, secrets }: Pick<Ports, 'newId' | 'random' | 'secrets'>,
  subject: LinkSubject,
  { at, expires_at }: { readonly at: Instant; readonly expires_at: Instant },
): Promise<string> {
  await deleteLinks(tx, subject)
  const id = newId()
  const token = createOpaqueToken(PREFIX, [id], random)
  await tx.one_time_links.insert({
    id,
    ...subject,
    token_hash: secrets.hash(token),
    expires_at,
    created_at: at,
    updated_at: at,
  })
  return token
}

export async function deleteLinks(
  { one_time_links: links }: Transaction,
  { purpose, subject_id }: LinkSubject,
): Promise<void> {
  const existing = await links.find([
    { field: 'subject_id', is: subject_id },
    { field: 'purpose', is: purpose },
  ])
  for (const { id } of existing) await links.hardDelete(id)
}

/** The link a token names; `undefined` when it is good for nothing, or for something else. */
export async function findValidLink(
  { one_time_links: links }: Transaction,
  ports: Pick<Ports, 'secrets' | 'now'>,
  { purpose, token }: { readonly purpose: OneTimeLink['purpose']; readonly token: string },
  method?: 'get' | 'getForUpdate',
): Promise<OneTimeLink | undefined> {
  const link = await findByToken(links, { prefix: PREFIX, token }, ports, method)
  return link?.purpose === purpose ? link : undefined
}
