import { useConsole } from '../../app/console-context.ts'
import { en, type WebhookTexts } from './texts-en.ts'
import { ptBr } from './texts-pt-br.ts'

export function useWebhookTexts(): WebhookTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
