import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icons.tsx'
import { useWebhookTexts } from './texts.ts'
import type { DeliveryStatus } from './use-deliveries.ts'
import styles from './webhooks.module.css'

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
