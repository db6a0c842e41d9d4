import type { Attempt, Delivery } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { usePageTitle } from '../../shell/page-parts.tsx'
import { Button } from '../../ui/button.tsx'
import { PartPage, partStyles, Section } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { DeliveryStatusLabel } from './delivery-log.tsx'
import { formatBody } from './format-body.ts'
import { useDelivery, useRedelivery, useWebhooks } from './queries.ts'
import { useWebhookTexts } from './texts.ts'
import styles from './webhooks.module.css'

interface DeliveryPageProps {
  readonly webhookId: string
  readonly id: string
}

export function DeliveryPage({ webhookId, id }: DeliveryPageProps) {
  const texts = useWebhookTexts()
  const delivery = useDelivery(webhookId, id)
  const event = delivery.data?.event ?? texts.delivery
  usePageTitle(event)
  return (
    <PartPage crumb={{ href: `/settings/webhooks/${webhookId}`, label: texts.deliveries }} title={event}>
      <PartQuery query={delivery}>
        {(data) => (
          <>
            <DeliveryState delivery={data} />
            <Section title={texts.attempts}>
              <Attempts attempts={data.attempts} />
            </Section>
            <Section title={texts.body}>
              <pre class={styles.body}>{formatBody(data.body)}</pre>
            </Section>
          </>
        )}
      </PartQuery>
    </PartPage>
  )
}

function DeliveryState({ delivery }: { readonly delivery: Delivery }) {
  const { dates } = useConsole()
  const texts = useWebhookTexts()
  const now = useNow()
  const redeliver = useRedelivery(delivery.webhook_id, delivery.id)
  const isStopped = useWebhooks().data?.find(({ id }) => id === delivery.webhook_id)?.stopped
  const next = delivery.next_attempt_at && new Date(delivery.next_attempt_at)
  return (
    <div class={styles.summary}>
      <p class={styles.state}>
        <DeliveryStatusLabel status={delivery.status} />
        <span>{dates.full(new Date(delivery.created_at))}</span>
      </p>
      {delivery.reason && <p>{texts.reasons[delivery.reason]}</p>}
      {delivery.status === 'pending' && (
        <p>{next ? texts.nextAttempt(dates.instant(next, now)) : texts.inAttempt}</p>
      )}
      <div class={partStyles.actions}>
        <Button icon="refresh" onClick={redeliver} disabled={isStopped}>
          {texts.redeliver}
        </Button>
      </div>
    </div>
  )
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const texts = useWebhookTexts()
  if (attempts.length === 0) return <p class={partStyles.empty}>{texts.noAttempts}</p>
  return (
    <ol class={partStyles.rows} aria-label={texts.attempts}>
      {attempts.toReversed().map((attempt) => (
        <AttemptRow key={attempt.created_at} attempt={attempt} />
      ))}
    </ol>
  )
}

function AttemptRow({ attempt }: { readonly attempt: Attempt }) {
  const { dates, formatNumber } = useConsole()
  const texts = useWebhookTexts()
  const now = useNow()
  const at = new Date(attempt.created_at)
  return (
    <li class={styles.attempt}>
      <p class={styles.attemptHead}>
        <b>{attempt.error ? texts.errors[attempt.error] : texts.httpStatus(attempt.status ?? 0)}</b>
        <span>
          <time dateTime={attempt.created_at} title={dates.full(at)}>
            {dates.instant(at, now)}
          </time>
          , {texts.duration(formatNumber(attempt.duration_ms))}
        </span>
      </p>
      {attempt.response && (
        <>
          <p class={styles.responseLabel}>{texts.response}</p>
          <p class={styles.response}>{attempt.response}</p>
        </>
      )}
    </li>
  )
}
