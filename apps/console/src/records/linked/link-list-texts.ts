import { useConsole } from '../../app/console-context.ts'

export const en = {
  main: 'Main',
  makeMain: 'Make the main one',
  remove: 'Remove',
  removeFor: (next: string) => `Remove: ${next} becomes the main one`,
  hidden: (count: number) => (count === 1 ? '1 you may not see' : `${count} you may not see`),
  actionsOf: (name: string) => `Actions for ${name}`,
  role: (name: string) => `Role of ${name}`,
  position: (name: string) => `Position at ${name}`,
  addRole: 'Add a role',
  addPosition: 'Add a position',
  addPeople: 'Add a person',
  addCompanies: 'Add a company',
  otherCompanies: 'Other companies',
  tooLong: (max: number) => `At most ${max} characters.`,
  roles: ['Decision maker', 'User', 'Payer', 'Technical contact', 'Sponsor'],
}

export type LinkListTexts = typeof en

export const ptBr: LinkListTexts = {
  main: 'Principal',
  makeMain: 'Tornar principal',
  remove: 'Remover',
  removeFor: (next) => `Remover: ${next} passa a ser principal`,
  hidden: (count) => (count === 1 ? '1 que você não pode ver' : `${count} que você não pode ver`),
  actionsOf: (name) => `Ações de ${name}`,
  role: (name) => `Papel de ${name}`,
  position: (name) => `Cargo em ${name}`,
  addRole: 'Informar o papel',
  addPosition: 'Informar o cargo',
  addPeople: 'Adicionar uma pessoa',
  addCompanies: 'Adicionar uma empresa',
  otherCompanies: 'Outras empresas',
  tooLong: (max) => `No máximo ${max} caracteres.`,
  roles: ['Decisor', 'Usuário', 'Pagador', 'Contato técnico', 'Patrocinador'],
}

export function useLinkListTexts(): LinkListTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
