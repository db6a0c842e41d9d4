import type { DeliveryListItem } from '@sales-crm/client'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { useViewParams } from '../../app/use-view-params.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FilterMenu } from '../../ui/filter-menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icons.tsx'
import { partStyles } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { DELIVERY_STATUSES, type DeliveryStatus, useDeliveries } from './queries.ts'
import { useWebhookTexts } from './texts.ts'
import styles from './webhooks.module.css'

/** What was sent to a webhook, the latest first. */
export function DeliveryLog({ webhookId }: { readonly webhookId: string }) {
  const { texts: shared } = useConsole()
  const texts = useWebhookTexts()
  const { params, set } = useViewParams()
  const status = DELIVERY_STATUSES.find((each) => each === params.get('status'))
  const deliveries = useDeliveries(webhookId, status)
  return (
    <>
      <p class={partStyles.text}>{texts.deliveriesLead}</p>
      <div class={styles.filters}>
        <FilterMenu
          label={shared.labels.status}
          value={status}
          anyLabel={texts.anyStatus}
          options={DELIVERY_STATUSES.map((value) => ({ value, label: texts.statuses[value] }))}
          choose={(value) => set({ status: value })}
        />
      </div>
      <PartQuery query={deliveries}>
        {({ pages }) => (
          <DeliveryTable
            webhookId={webhookId}
            status={status}
            deliveries={pages.flatMap(({ data }) => data)}
          />
        )}
      </PartQuery>
      {deliveries.hasNextPage && (
        <Button
          class={styles.more}
          aria-busy={deliveries.isFetchingNextPage}
          onClick={() => void deliveries.fetchNextPage()}
        >
          {shared.deals.loadMore}
        </Button>
      )}
    </>
  )
}

interface DeliveryTableProps {
  readonly webhookId: string
  readonly status: DeliveryStatus | undefined
  readonly deliveries: readonly DeliveryListItem[]
}

function DeliveryTable({ webhookId, status, deliveries }: DeliveryTableProps) {
  const { texts: shared, dates } = useConsole()
  const texts = useWebhookTexts()
  const now = useNow()
  if (deliveries.length === 0)
    return <p class={partStyles.empty}>{status ? texts.noneWithStatus : texts.noDeliveries}</p>
  return (
    <table class={styles.table}>
      <thead>
        <tr>
          <th scope="col">{shared.labels.status}</th>
          <th scope="col">{texts.event}</th>
          <th scope="col">{texts.when}</th>
          <th scope="col">{texts.attempts}</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <td>
              <DeliveryStatusLabel status={delivery.status} />
            </td>
            <th scope="row">
              <Link href={`/settings/webhooks/${webhookId}/deliveries/${delivery.id}`}>{delivery.event}</Link>
            </th>
            <td>
              <time dateTime={delivery.created_at} title={dates.full(new Date(delivery.created_at))}>
                {dates.instant(new Date(delivery.created_at), now)}
              </time>
            </td>
            <td class={styles.number}>{delivery.attempts_count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const ICONS: Readonly<Record<DeliveryStatus, IconName>> = {
  pending: 'clock',
  delivered: 'check',
  dropped: 'alert',
}

export function DeliveryStatusLabel({ status }: { readonly status: DeliveryStatus }) {
  const texts = useWebhookTexts()
  return (
    <span class={classNames(styles.status, styles[status])}>
      <Icon name={ICONS[status]} small />
      {texts.statuses[status]}
    </span>
  )
}
