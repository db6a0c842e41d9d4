import { useConsole } from '../../app/console-context.ts'
import { createPlural } from '../../texts/plural.ts'

const countEn = createPlural('en')
const countPtBr = createPlural('pt-BR')

const en = {
  groupBy: 'Group by',
  none: 'No groups',
  byMonth: (label: string) => `${label}, by month`,
  nobody: 'Nobody',
  noValue: 'Without a value',
  select: (count: number, name: string) => `Select ${countEn(count, '# record', '# records')} of ${name}`,
  fold: 'Fold, unfold a group',
  isPartial: 'Only the 200 largest groups are shown.',
}

type GroupTexts = typeof en

const ptBr: GroupTexts = {
  groupBy: 'Agrupar por',
  none: 'Sem grupos',
  byMonth: (label) => `${label}, por mês`,
  nobody: 'Ninguém',
  noValue: 'Sem valor',
  select: (count, name) => `Selecionar ${countPtBr(count, '# registro', '# registros')} de ${name}`,
  fold: 'Recolher, expandir um grupo',
  isPartial: 'Apenas os 200 maiores grupos são mostrados.',
}

export function useGroupTexts(): GroupTexts {
  const { texts } = useConsole()
  return texts.language === 'pt-BR' ? ptBr : en
}
