import { useConsole } from '../app/console-context.ts'
import { en, type ReportTexts } from './texts-en.ts'
import { ptBr } from './texts-pt-br.ts'

export function useReportTexts(): ReportTexts {
  const { language } = useConsole().texts
  return language === 'pt-BR' ? ptBr : en
}
