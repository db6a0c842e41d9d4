import { useConsole } from '../../app/console-context.ts'
import { useChange } from '../../cache/use-change.ts'
import { useWebhookTexts } from './texts.ts'

/** Attempts a delivery again, now. */
export function useRedelivery(webhookId: string, id: string): () => void {
  const { crm } = useConsole()
  const texts = useWebhookTexts()
  const change = useChange()
  return () =>
    change({ send: () => crm.webhooks.deliveries.redeliver(webhookId, id), done: texts.redelivering })
}
