import type { NewStage } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { createPlural } from '../../texts/plural.ts'
import type { DraftChange } from './draft-changes.ts'
import type { StageType } from './stage-draft.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

type Types = Readonly<Record<StageType, string>>
const TYPES: Types = { open: 'Open', win: 'Won', lost: 'Lost' }
const TYPES_PT: Types = { open: 'Aberta', win: 'Ganha', lost: 'Perdida' }

const en = {
  listLead: 'A deal goes through the stages of one pipeline.',
  create: 'New pipeline',
  empty: 'There are no pipelines, so there is no place for deals yet. Add one above.',
  stageCount: (count: number) => plural(count, '# stage', '# stages'),
  firstStages: [
    { name: 'New', type: 'open', probability: 10 },
    { name: 'Proposal', type: 'open', probability: 50 },
    { name: 'Won', type: 'win' },
    { name: 'Lost', type: 'lost' },
  ] as readonly NewStage[],
  lead: 'The stages a deal goes through, in their order. What is changed here is changed for everyone once it is saved.',
  name: 'Name',
  outdated:
    'Somebody else changed this pipeline meanwhile. Discard your changes to see theirs, or save over them.',
  reads: 'How the pipeline reads',
  unnamed: 'Unnamed stage',
  addStage: 'Add a stage',
  probability: 'Probability',
  holds: 'Holds',
  types: TYPES,
  stageName: (at: number) => `Name of stage ${at}`,
  typeOf: (name: string) => `Type of ${name}`,
  probabilityOf: (name: string) => `Probability of ${name}, percent`,
  percentError: 'Write a whole number from 0 to 100.',
  removeStage: (name: string) => `Remove ${name}`,
  removalHint: 'A stage that holds deals cannot be removed. Move its deals first: open the count beside it.',
  lastStage: 'A pipeline needs a stage.',
  saved: 'The pipeline was saved.',
  rules: 'What stages ask',
  rulesLead:
    'A deal comes into a stage with the fields that it needs, and is marked when it stays for too long.',
  changeRules: (name: string) => `What ${name} asks`,
  needs: (fields: string) => `Needs ${fields}`,
  staleAfter: (days: number) => plural(days, 'stale after # day', 'stale after # days'),
  noRules: 'Nothing',
  requiredFields: 'Fields that a deal needs to come into it',
  staleDays: 'Stale after days',
  staleHint: 'Empty for no limit.',
  staleError: 'Write a whole number from 1 to 3650, or nothing.',
  removal: 'Remove this pipeline',
  removalText: 'It holds no deals, so it can be removed.',
  removalReason: (deals: string) =>
    `It still holds ${deals}, so it stays. Empty it, or move its deals to another pipeline.`,
  openDeals: 'Open its deals',
  remove: 'Remove pipeline…',
  removalFinal: 'Its stages go with it. This cannot be undone.',
  describe(change: DraftChange): string {
    const { name } = change
    switch (change.kind) {
      case 'pipelineRenamed':
        return `The pipeline is called ${name}`
      case 'added':
        return name === '' ? 'A new stage' : `${name} is new`
      case 'removed':
        return `${name} is removed`
      case 'renamed':
        return `${name} is called ${change.to}`
      case 'retyped':
        return `${name}: ${TYPES[change.to].toLowerCase()}`
      case 'weighted':
        return `${name}: ${change.to.replace(/\s*%$/, '')} %`
      case 'moved':
        return change.before === undefined ? `${name} comes last` : `${name} comes before ${change.before}`
    }
  },
}

export type PipelineTexts = typeof en

const ptBr: PipelineTexts = {
  listLead: 'Um negócio passa pelas etapas de um funil.',
  create: 'Novo funil',
  empty: 'Não há funis, então ainda não há lugar para negócios. Adicione um acima.',
  stageCount: (count) => pluralPt(count, '# etapa', '# etapas'),
  firstStages: [
    { name: 'Novo', type: 'open', probability: 10 },
    { name: 'Proposta', type: 'open', probability: 50 },
    { name: 'Ganho', type: 'win' },
    { name: 'Perdido', type: 'lost' },
  ],
  lead: 'As etapas pelas quais um negócio passa, na sua ordem. O que muda aqui muda para todos quando é salvo.',
  name: 'Nome',
  outdated:
    'Outra pessoa alterou este funil. Descarte as suas alterações para ver as dela, ou salve por cima.',
  reads: 'Como o funil se lê',
  unnamed: 'Etapa sem nome',
  addStage: 'Adicionar etapa',
  probability: 'Probabilidade',
  holds: 'Contém',
  types: TYPES_PT,
  stageName: (at) => `Nome da etapa ${at}`,
  typeOf: (name) => `Tipo de ${name}`,
  probabilityOf: (name) => `Probabilidade de ${name}, por cento`,
  percentError: 'Escreva um número inteiro de 0 a 100.',
  removeStage: (name) => `Remover ${name}`,
  removalHint: 'Uma etapa com negócios não pode ser removida. Mova os negócios antes: abra o número ao lado.',
  lastStage: 'Um funil precisa de uma etapa.',
  saved: 'O funil foi salvo.',
  rules: 'O que as etapas exigem',
  rulesLead:
    'Um negócio entra em uma etapa com os campos que ela exige, e é marcado quando fica tempo demais.',
  changeRules: (name) => `O que ${name} exige`,
  needs: (fields) => `Exige ${fields}`,
  staleAfter: (days) => pluralPt(days, 'limite de # dia', 'limite de # dias'),
  noRules: 'Nada',
  requiredFields: 'Campos que um negócio precisa para entrar nela',
  staleDays: 'Limite em dias',
  staleHint: 'Vazio para nenhum limite.',
  staleError: 'Escreva um número inteiro de 1 a 3650, ou nada.',
  removal: 'Remover este funil',
  removalText: 'Ele não contém negócios e pode ser removido.',
  removalReason: (deals) =>
    `Ele ainda contém ${deals}, então fica. Esvazie-o ou mova os negócios para outro funil.`,
  openDeals: 'Abrir os negócios',
  remove: 'Remover funil…',
  removalFinal: 'As etapas vão junto. Isto não pode ser desfeito.',
  describe(change) {
    const { name } = change
    switch (change.kind) {
      case 'pipelineRenamed':
        return `O funil se chama ${name}`
      case 'added':
        return name === '' ? 'Uma nova etapa' : `${name} é nova`
      case 'removed':
        return `${name} é removida`
      case 'renamed':
        return `${name} se chama ${change.to}`
      case 'retyped':
        return `${name}: ${TYPES_PT[change.to].toLowerCase()}`
      case 'weighted':
        return `${name}: ${change.to.replace(/\s*%$/, '')} %`
      case 'moved':
        return change.before === undefined
          ? `${name} vem por último`
          : `${name} vem antes de ${change.before}`
    }
  },
}

export function usePipelineTexts(): PipelineTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
