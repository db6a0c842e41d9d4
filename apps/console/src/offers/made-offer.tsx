import type { OfferListItem } from '@sales-crm/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { explainError } from '../cache/explain-error.ts'
import { ConfirmDialog } from '../settings/frame/confirm-dialog.tsx'
import { CopyField } from '../settings/frame/copy-field.tsx'
import { Button } from '../ui/button.tsx'
import { saveFile } from '../ui/save-file.ts'
import text from '../ui/text.module.css'
import { showDone, showError } from '../ui/toasts.tsx'
import styles from './offers.module.css'
import { useOfferTexts } from './texts.ts'

interface MadeOfferProps {
  readonly dealId: string
  readonly offer: OfferListItem
  /** Why the member may not change the deal. */
  readonly readOnly: string | undefined
}

/** An offer with its document, its link and how often that was opened. */
export function MadeOffer({ dealId, offer, readOnly }: MadeOfferProps) {
  const { crm, texts: shared, dates, calendar, formatAmount } = useConsole()
  const texts = useOfferTexts()
  const now = useNow()
  const client = useQueryClient()
  const [url, setUrl] = useState<string>()
  const [asked, setAsked] = useState<'revoke' | 'replace'>()
  const refresh = () => client.invalidateQueries({ queryKey: ['offers', dealId] })
  const onError = (error: unknown) => showError(explainError(error, shared))
  const download = useMutation({
    mutationFn: () => crm.deals.offers.download(dealId, offer.id),
    onSuccess: (bytes) => saveFile(`${offer.number}.pdf`, new Blob([bytes], { type: 'application/pdf' })),
    onError,
  })
  const link = useMutation({
    mutationFn: () => crm.deals.offers.createLink(dealId, offer.id),
    onSuccess: (made) => setUrl(made.url),
    onError,
    onSettled: refresh,
  })
  const revocation = useMutation({
    mutationFn: () => crm.deals.offers.deleteLink(dealId, offer.id),
    onSuccess() {
      setUrl(undefined)
      showDone(texts.revoked)
    },
    onError,
    onSettled: refresh,
  })
  const day = (each: string) => dates.day(calendar.wholeDay(each), now)
  const isOver = offer.valid_until < calendar.dayOf(now)
  const hasLink = offer.link_created_at !== null && !isOver
  const { currency } = offer
  const author = offer.created_by ? `${offer.created_by.name}, ` : ''
  return (
    <article class={styles.offer} aria-label={offer.number}>
      <p class={styles.head}>
        <b>{offer.number}</b>
        <span class={text.push}>{formatAmount({ amount: offer.totals.first_year.gross_cts, currency })}</span>
      </p>
      <p class={text.soft}>
        {isOver
          ? texts.over(day(offer.valid_until))
          : texts.madeOn(author, day(offer.date), day(offer.valid_until))}
      </p>
      {url !== undefined && hasLink && (
        <>
          <CopyField label={texts.link} value={url} autoFocus />
          <p class={text.soft}>{texts.linkOnce}</p>
        </>
      )}
      {(hasLink || offer.opens > 0) && (
        <p class={text.soft}>
          {offer.last_opened_at === null
            ? texts.notOpened
            : texts.opened(offer.opens, dates.instant(new Date(offer.last_opened_at), now))}
        </p>
      )}
      <p class={styles.actions}>
        <Button
          small
          look="quiet"
          icon="download"
          aria-busy={download.isPending}
          onClick={() => download.isPending || download.mutate()}
        >
          {texts.download}
        </Button>
        {readOnly === undefined && !isOver && (
          <Button
            small
            look="quiet"
            aria-busy={link.isPending}
            onClick={() => (hasLink ? setAsked('replace') : link.isPending || link.mutate())}
          >
            {hasLink ? texts.makeAnother : texts.makeLink}
          </Button>
        )}
        {readOnly === undefined && hasLink && (
          <Button small look="quiet" onClick={() => setAsked('revoke')}>
            {texts.revoke}
          </Button>
        )}
      </p>
      {asked && (
        <ConfirmDialog
          title={asked === 'revoke' ? texts.revokeTitle : texts.replaceTitle}
          confirmLabel={asked === 'revoke' ? texts.revoke : texts.makeAnother}
          confirm={() => {
            setAsked(undefined)
            if (asked === 'revoke') revocation.mutate()
            else link.mutate()
          }}
          close={() => setAsked(undefined)}
        >
          {asked === 'revoke' ? texts.revokeText : texts.replaceText}
        </ConfirmDialog>
      )}
    </article>
  )
}
