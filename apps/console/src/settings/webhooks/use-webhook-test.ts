import { useConsole } from '../../app/console-context.ts'
import { useChange } from '../../cache/use-change.ts'
import { useWebhookTexts } from './texts.ts'

/** Sends the test event to a webhook. */
export function useWebhookTest(webhookId: string): () => void {
  const { crm } = useConsole()
  const texts = useWebhookTexts()
  const change = useChange()
  return () => change({ send: () => crm.webhooks.test(webhookId), done: texts.testSent })
}
