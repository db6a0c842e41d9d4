import { useConsole } from '../app/console-context.ts'
import { en, type ImportTexts } from './texts-en.ts'
import { ptBr } from './texts-pt-br.ts'

export function useImportTexts(): ImportTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
