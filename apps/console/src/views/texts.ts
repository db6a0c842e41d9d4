import { useConsole } from '../app/console-context.ts'

const en = {
  views: 'Views',
  all: (kind: string) => `All: ${kind}`,
  menu: 'Views',
  notSaved: 'Not saved',
  save: 'Save',
  saveAsNew: 'Save as new',
  saveAsView: 'Save as view',
  reset: 'Reset',
  name: 'Name',
  nameOf: (name: string) => `Name of the view “${name}”`,
  copyIntoList: 'Copy into a list…',
  copyOf: (name: string) => `List of what “${name}” shows now`,
  rename: 'Rename…',
  delete: 'Delete the view',
  deleted: (name: string) => `The view “${name}” was deleted.`,
  saved: (name: string) => `The view “${name}” was saved.`,
  sharedWith: 'Who sees it',
  audiences: { nobody: 'Only I', team: 'My teams', everyone: 'Everyone' },
  sharedByTeam: (owner: string) => `Shared by ${owner} with their teams`,
  sharedByAll: 'Shared with everyone',
  beginsWith: 'Members begin with it',
  noCount: 'The number could not be read.',
}

type ViewTexts = typeof en

const ptBr: ViewTexts = {
  views: 'Visões',
  all: (kind) => `Tudo: ${kind}`,
  menu: 'Visões',
  notSaved: 'Não salva',
  save: 'Salvar',
  saveAsNew: 'Salvar como nova',
  saveAsView: 'Salvar como visão',
  reset: 'Desfazer',
  name: 'Nome',
  nameOf: (name) => `Nome da visão “${name}”`,
  copyIntoList: 'Copiar para uma lista…',
  copyOf: (name) => `Lista do que “${name}” mostra agora`,
  rename: 'Renomear…',
  delete: 'Excluir a visão',
  deleted: (name) => `A visão “${name}” foi excluída.`,
  saved: (name) => `A visão “${name}” foi salva.`,
  sharedWith: 'Quem vê',
  audiences: { nobody: 'Só eu', team: 'Minhas equipes', everyone: 'Todos' },
  sharedByTeam: (owner) => `Compartilhada por ${owner} com suas equipes`,
  sharedByAll: 'Compartilhada com todos',
  beginsWith: 'Membros começam com ela',
  noCount: 'Não foi possível ler o número.',
}

export function useViewTexts(): ViewTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
