import { newHandle } from '../oauth/handle.ts'
import { namedBy } from '../oauth/named-by.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import type { Link } from './link.ts'

const PREFIX = 'crm_ln_'

/** What a link is good for, and the app or the user it is about. */
type About = Pick<Link, 'purpose' | 'subject_id'>

/**
 * The token of a link in place of those before, which are good for nothing from now on. Whom it is about is held: of two at once the
 * second finds the link of the first.
 */
export async function newLink(
  tx: Transaction,
  { newId, random, secrets }: Pick<Ports, 'newId' | 'random' | 'secrets'>,
  about: About,
  { at, expires_at }: { readonly at: Instant; readonly expires_at: Instant },
): Promise<string> {
  await dropLinks(tx, about)
  const id = newId()
  const token = newHandle(PREFIX, [id], random)
  await tx.links.insert({ id, ...about, token_hash: secrets.hash(token), expires_at, created_at: at, updated_at: at })
  return token
}

export async function dropLinks({ links }: Transaction, { purpose, subject_id }: About): Promise<void> {
  const open = await links.find([
    { field: 'subject_id', is: subject_id },
    { field: 'purpose', is: purpose },
  ])
  for (const { id } of open) await links.erase(id)
}

/** The link a token names; `undefined` when it is good for nothing, or for something else. */
export async function goodLink(
  { links }: Transaction,
  ports: Pick<Ports, 'secrets' | 'now'>,
  { purpose, token }: { readonly purpose: Link['purpose']; readonly token: string },
  how?: 'get' | 'getForUpdate',
): Promise<Link | undefined> {
  const link = await namedBy(links, { prefix: PREFIX, token }, ports, how)
  return link?.purpose === purpose ? link : undefined
}
