import { useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { ReadOnlyContext } from '../records/read-only.tsx'
import page from '../records/record-page.module.css'
import { useWorkspace } from '../reference/use-workspace.ts'
import { Button } from '../ui/button.tsx'
import text from '../ui/text.module.css'
import { showReason } from '../ui/toasts.tsx'
import { MadeOffer } from './made-offer.tsx'
import { OfferDialog } from './offer-dialog.tsx'
import styles from './offers.module.css'
import { useOfferTexts } from './texts.ts'

/** The offers of a deal, and a button that makes one. */
export function OffersPanel({ dealId }: { readonly dealId: string }) {
  const { crm } = useConsole()
  const texts = useOfferTexts()
  const [isOpen, setIsOpen] = useState(false)
  const readOnly = useContext(ReadOnlyContext)
  const workspace = useWorkspace()
  const offers = useQuery({
    queryKey: ['offers', dealId],
    queryFn: ({ signal }) => crm.deals.offers.list(dealId, { signal }),
  })
  const items = useQuery({
    queryKey: ['deal-items', dealId],
    queryFn: ({ signal }) => crm.deals.items.list(dealId, { signal }),
  })
  const missing = items.data?.data.length === 0 ? texts.noItems : undefined
  const reason = readOnly ?? missing ?? (workspace.data.sender === null ? texts.noSender : undefined)
  return (
    <section class={page.block} aria-label={texts.offers}>
      <div class={page.blockHead}>
        <h2>
          {texts.offers} <span class={text.count}>{offers.data?.length || ''}</span>
        </h2>
      </div>
      {offers.data?.map((offer) => (
        <MadeOffer key={offer.id} dealId={dealId} offer={offer} readOnly={readOnly} />
      ))}
      <p class={styles.make}>
        <Button
          small
          icon="plus"
          aria-disabled={reason !== undefined}
          title={reason}
          onClick={() => (reason === undefined ? setIsOpen(true) : showReason(reason))}
        >
          {texts.make}
        </Button>
        {items.data && reason !== undefined && <span class={text.soft}>{reason}</span>}
      </p>
      {isOpen && <OfferDialog dealId={dealId} close={() => setIsOpen(false)} />}
    </section>
  )
}
