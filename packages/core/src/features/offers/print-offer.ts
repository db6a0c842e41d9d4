import { notFound } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import type { DealOffer, OfferLanguage } from '../../schema/deal-offer.ts'

/** The document of an offer. */
export interface OfferDocument {
  /** PDF. */
  readonly document: Uint8Array
  /** Of letters that every file system takes. */
  readonly filename: string
}

/** What an offer is called. */
const NOUNS: Readonly<Record<OfferLanguage, string>> = { en: 'Offer', 'pt-BR': 'Proposta' }

const MAX_TITLE_LENGTH = 60

/** Makes the document of an offer, outside of a transaction. @throws CrmError `not_found` if the service prints none */
export async function printOffer(
  ports: Pick<Ports, 'storage' | 'printOffer'>,
  workspaceId: string,
  offer: DealOffer,
): Promise<OfferDocument> {
  if (!ports.printOffer) throw notFound('Document')
  const { logo_key } = offer
  const [logo] =
    logo_key === null
      ? []
      : await ports.storage.read((tx) =>
          tx.workspace(workspaceId).files.find([{ field: 'key', is: logo_key }]),
        )
  const { number, title, date, valid_until, language, notes, currency, created_at } = offer
  const { sender, recipient, items, totals } = offer
  const document = await ports.printOffer({
    ...{
      number,
      title,
      date,
      valid_until,
      language,
      notes,
      currency,
      created_at,
      sender,
      recipient,
      items,
      totals,
    },
    logo: logo?.content ?? null,
  })
  return { document, filename: nameFile(offer) }
}

/** Without separators of paths, and without invisible characters, which may hide what kind of file it is. */
export function nameFile({
  language,
  number,
  title,
}: Pick<DealOffer, 'language' | 'number' | 'title'>): string {
  const words = title.replaceAll(/[\s\\/:*?"<>|\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const name = `${NOUNS[language]} ${number} ${[...words].slice(0, MAX_TITLE_LENGTH).join('')}`
  return `${name.replace(/[ .]+$/, '')}.pdf`
}
