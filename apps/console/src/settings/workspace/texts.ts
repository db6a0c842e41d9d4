import { useConsole } from '../../app/console-context.ts'

const en = {
  lead: 'The operator of the service sets this up. It applies to everyone in the workspace.',
  name: 'Name',
  slug: 'Address',
  locale: 'Amounts are written as in',
  currency: 'Currency',
  timeZone: 'Time zone',
  usage: 'What it holds',
  records: 'Records',
  storage: 'Files and long texts',
  used: (value: string, max: string) => `${value} of ${max}`,
  unlimited: (value: string) => `${value}, without a limit`,
  nearlyFull: 'It is nearly full. Delete what is no longer needed, or ask the operator for more.',
}

export type WorkspaceTexts = typeof en

const ptBr: WorkspaceTexts = {
  lead: 'O operador do serviço configura isto. Vale para todos no espaço de trabalho.',
  name: 'Nome',
  slug: 'Endereço',
  locale: 'Valores escritos como em',
  currency: 'Moeda',
  timeZone: 'Fuso horário',
  usage: 'O que ele guarda',
  records: 'Registros',
  storage: 'Arquivos e textos longos',
  used: (value, max) => `${value} de ${max}`,
  unlimited: (value) => `${value}, sem limite`,
  nearlyFull: 'Está quase cheio. Exclua o que não é mais necessário ou peça mais ao operador.',
}

export function useWorkspaceTexts(): WorkspaceTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
