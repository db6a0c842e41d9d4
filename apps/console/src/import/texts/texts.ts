import { useConsole } from '../../app/console-context.ts'
import { type FieldTexts, fieldsEn } from './fields-en.ts'
import { fieldsPtBr } from './fields-pt-br.ts'
import { type OutcomeTexts, outcomesEn } from './outcomes-en.ts'
import { outcomesPtBr } from './outcomes-pt-br.ts'
import { type StepTexts, stepsEn } from './steps-en.ts'
import { stepsPtBr } from './steps-pt-br.ts'

export type ImportTexts = StepTexts & OutcomeTexts & FieldTexts

const en: ImportTexts = { ...stepsEn, ...outcomesEn, ...fieldsEn }
const ptBr: ImportTexts = { ...stepsPtBr, ...outcomesPtBr, ...fieldsPtBr }

export function useImportTexts(): ImportTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
