import { findByToken } from '../../engine/find-by-token.ts'
import { createOpaqueToken } from '../../engine/opaque-token.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { OneTimeLink } from '../../schema/one-time-link.ts'

const PREFIX = 'crm_ln_'

/** The purpose of a link, and the app or user it is for. */
type LinkSubject = Pick<OneTimeLink, 'purpose' | 'subject_id'>

/**
 * Creates a link, deletes earlier ones for the same purpose and subject, and returns the token. The caller
 * has locked the subject, so that the second of two concurrent calls finds and deletes the link of the first.
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

export async function deleteLinks(tx: Transaction, subject: LinkSubject): Promise<void> {
  for (const { id } of await findLinks(tx, subject)) await tx.one_time_links.hardDelete(id)
}

export function findLinks(
  { one_time_links: links }: Transaction,
  { purpose, subject_id }: LinkSubject,
): Promise<readonly OneTimeLink[]> {
  return links.find([
    { field: 'subject_id', is: subject_id },
    { field: 'purpose', is: purpose },
  ])
}

/** Finds the unexpired link of a token. Returns undefined for a link with another purpose. */
export async function findValidLink(
  { one_time_links: links }: Transaction,
  ports: Pick<Ports, 'secrets' | 'now'>,
  { purpose, token }: { readonly purpose: OneTimeLink['purpose']; readonly token: string },
  method?: 'get' | 'getForUpdate',
): Promise<OneTimeLink | undefined> {
  const link = await findByToken(links, { prefix: PREFIX, token }, ports, method)
  return link?.purpose === purpose ? link : undefined
}
