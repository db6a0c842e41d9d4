import type { CustomFieldType } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'

type TypeNames = Readonly<Record<CustomFieldType, string>>

const en = {
  lead: 'Fields of your own on people, companies and deals.',
  create: 'New custom field',
  groups: { people: 'People', companies: 'Companies', deals: 'Deals', none: 'Shown nowhere' },
  emptyGroup: 'No custom field is shown here. Create one, or let an existing one be shown.',
  pageLead: 'What is changed here is changed for everyone at once.',
  label: 'Label',
  key: 'Key',
  keyHint: 'What programs call it. It cannot be changed later.',
  typeHint: 'It cannot be changed later.',
  options: 'Options',
  optionsHint: 'One in each line, in their order.',
  option: (at: number) => `Option ${at}`,
  newOption: 'New option',
  showsOn: 'Shown on',
  required: 'Required',
  requiredHint:
    'A new record that shows it must have it, and it cannot be cleared. Older records without it stay.',
  removal: 'Delete this field',
  removalText: 'What the records hold in it is gone too. This cannot be undone.',
  remove: 'Delete field…',
  types: {
    text: 'Text',
    long_text: 'Long text',
    number: 'Number',
    date: 'Date',
    select: 'Selection of one',
    multi_select: 'Selection of several',
    link: 'Link',
    address: 'Address',
    cpf: 'CPF',
    cnpj: 'CNPJ',
  } as TypeNames,
}

export type CustomFieldTexts = typeof en

const ptBr: CustomFieldTexts = {
  lead: 'Campos próprios em pessoas, empresas e negócios.',
  create: 'Novo campo personalizado',
  groups: { people: 'Pessoas', companies: 'Empresas', deals: 'Negócios', none: 'Não aparece' },
  emptyGroup: 'Nenhum campo personalizado aparece aqui. Crie um, ou faça um existente aparecer.',
  pageLead: 'O que muda aqui muda para todos na hora.',
  label: 'Rótulo',
  key: 'Chave',
  keyHint: 'Como os programas o chamam. Não pode ser alterada depois.',
  typeHint: 'Não pode ser alterado depois.',
  options: 'Opções',
  optionsHint: 'Uma em cada linha, na sua ordem.',
  option: (at) => `Opção ${at}`,
  newOption: 'Nova opção',
  showsOn: 'Aparece em',
  required: 'Obrigatório',
  requiredHint:
    'Um registro novo que o mostra precisa tê-lo, e ele não pode ser esvaziado. Os antigos sem ele ficam.',
  removal: 'Excluir este campo',
  removalText: 'O que os registros guardam nele também some. Isto não pode ser desfeito.',
  remove: 'Excluir campo…',
  types: {
    text: 'Texto',
    long_text: 'Texto longo',
    number: 'Número',
    date: 'Data',
    select: 'Escolha de uma',
    multi_select: 'Escolha de várias',
    link: 'Link',
    address: 'Endereço',
    cpf: 'CPF',
    cnpj: 'CNPJ',
  },
}

export function useCustomFieldTexts(): CustomFieldTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
