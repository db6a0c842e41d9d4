import { createOpaqueToken, parseOpaqueToken } from '../../engine/opaque-token.ts'
import type { Instant } from '../../kernel/instant.ts'
import { type Day, dayOf } from '../../kernel/time-zone.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { DealOffer, OfferLanguage } from '../../schema/deal-offer.ts'
import { type OfferDocument, printOffer } from './print-offer.ts'

/** The log recognizes secrets by such a beginning. */
const PREFIX = 'crm_of_'

/** What an address of no valid offer says. */
export interface RefusedOffer {
  readonly document: null
  /** Null if the address was never one of an offer, or another one has replaced it. */
  readonly language: OfferLanguage | null
  /** The address of the sender, if it is known. */
  readonly email: string | null
}

/** A new token, and what the offer stores of it. */
export function issueLink(
  { random, secrets }: Pick<Ports, 'random' | 'secrets'>,
  workspaceId: string,
  { id }: Pick<DealOffer, 'id'>,
  at: Instant,
): { readonly token: string } & Pick<DealOffer, 'link_hash' | 'link_created_at'> {
  const token = createOpaqueToken(PREFIX, [workspaceId, id], random)
  return { token, link_hash: secrets.hash(token), link_created_at: at }
}

/** True if the last day of an offer is over. */
export function isOver({ valid_until }: Pick<DealOffer, 'valid_until'>, today: Day): boolean {
  return valid_until < today
}

interface FoundOffer {
  readonly offer: DealOffer
  readonly workspaceId: string
  /** False if the link was revoked, its offer is over, or the deal was deleted. */
  readonly isValid: boolean
}

type LinkPorts = Pick<Ports, 'storage' | 'secrets' | 'now' | 'printOffer'>

/**
 * Returns the document of the offer that a token names, and counts that it was opened.
 * @param isCounted false for a call that only asks whether there is one: it gets an empty document
 */
export async function openOffer(
  ports: LinkPorts,
  token: string,
  isCounted: boolean,
): Promise<OfferDocument | RefusedOffer> {
  const found = await ports.storage.read((tx) => findOffer(tx, ports, token))
  if (!found?.isValid) return toRefusal(found?.offer)
  const { workspaceId, offer } = found
  if (!isCounted) return printOffer({ ...ports, printOffer: async () => NO_BYTES }, workspaceId, offer)
  const document = await printOffer(ports, workspaceId, offer)
  // The link may have been revoked while the document was made.
  return (await countOpening(ports, token)) ? document : toRefusal(offer)
}

const NO_BYTES = new Uint8Array()

function toRefusal(offer: DealOffer | undefined): RefusedOffer {
  return { document: null, language: offer?.language ?? null, email: offer?.sender.email ?? null }
}

async function findOffer(
  tx: Transaction,
  { secrets, now }: LinkPorts,
  token: string,
  method: 'get' | 'getForUpdate' = 'get',
): Promise<FoundOffer | undefined> {
  const [workspaceId, id] = parseOpaqueToken(PREFIX, 2, token) ?? []
  if (workspaceId === undefined || id === undefined) return undefined
  const { deal_offers, deals } = tx.workspace(workspaceId)
  const offer = await deal_offers[method](id)
  if (!offer || offer.link_hash === null || !secrets.matches(token, offer.link_hash)) return undefined
  const [workspace, deal] = await Promise.all([tx.workspaces.get(workspaceId), deals.get(offer.deal_id)])
  const isValid =
    workspace !== undefined &&
    deal !== undefined &&
    offer.link_created_at !== null &&
    !isOver(offer, dayOf(now(), workspace.time_zone))
  return { offer, workspaceId, isValid }
}

async function countOpening(ports: LinkPorts, token: string): Promise<boolean> {
  return ports.storage.transact(
    async (tx) => {
      const found = await findOffer(tx, ports, token, 'getForUpdate')
      if (!found?.isValid) return false
      const { offer, workspaceId } = found
      await tx
        .workspace(workspaceId)
        .deal_offers.update({ ...offer, opens: offer.opens + 1, last_opened_at: ports.now() })
      return true
    },
    { durability: 'relaxed' },
  )
}
