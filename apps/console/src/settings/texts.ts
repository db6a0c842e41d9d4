import { useConsole } from '../app/console-context.ts'
import { createPlural } from '../texts/plural.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

const en = {
  nav: 'Parts of the settings',
  back: 'Back to the settings',
  parts: {
    workspace: 'Workspace',
    members: 'Members',
    pipelines: 'Pipelines',
    customFields: 'Custom fields',
    taskTypes: 'Task types',
    tags: 'Tags',
    lists: 'Lists',
    webhooks: 'Apps and webhooks',
  },
  adminsOnly: 'Owners and admins of the workspace change this. Ask one of them.',
  notFound: 'It does not exist in this workspace, or somebody deleted it.',
  loading: 'Loading',
  edit: (label: string, value: string) => `${label}: ${value}. Edit`,
  add: (label: string) => `Add ${label.toLowerCase()}`,
  deleteItem: (name: string) => `Delete ${name}`,
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteNow: 'Delete',
  deleted: (name: string) => `“${name}” was deleted.`,
  created: (name: string) => `“${name}” was created.`,
  changed: (name: string) => `“${name}” was changed.`,
  copy: 'Copy',
  copied: 'Copied',
  copyByKeys: 'It is selected: copy it with Ctrl C.',
  unsaved: 'Unsaved changes',
  changes: (count: number) => plural(count, '# change', '# changes'),
  discard: 'Discard',
  order: {
    role: 'sortable',
    move: (name: string, at: number, of: number) => `Move ${name}, ${at} of ${of}`,
    lifted: (name: string, at: number, of: number) =>
      `${name} is lifted at ${at} of ${of}. Arrows move it, Space drops it, Esc puts it back.`,
    moved: (name: string, at: number, of: number) => `${name}: ${at} of ${of}.`,
    dropped: (name: string, at: number, of: number) => `${name} was dropped at ${at} of ${of}.`,
    restored: (name: string, at: number) => `${name} is back at ${at}.`,
  },
}

export type SettingsTexts = typeof en

const ptBr: SettingsTexts = {
  nav: 'Partes das configurações',
  back: 'Voltar às configurações',
  parts: {
    workspace: 'Espaço de trabalho',
    members: 'Membros',
    pipelines: 'Funis',
    customFields: 'Campos personalizados',
    taskTypes: 'Tipos de tarefa',
    tags: 'Etiquetas',
    lists: 'Listas',
    webhooks: 'Aplicativos e webhooks',
  },
  adminsOnly: 'Só proprietários e administradores do espaço alteram isto. Fale com um deles.',
  notFound: 'Não existe neste espaço de trabalho, ou alguém excluiu.',
  loading: 'Carregando',
  edit: (label, value) => `${label}: ${value}. Editar`,
  add: (label) => `Adicionar ${label.toLowerCase()}`,
  deleteItem: (name) => `Excluir ${name}`,
  deleteTitle: (name) => `Excluir “${name}”?`,
  deleteNow: 'Excluir',
  deleted: (name) => `“${name}” foi excluído.`,
  created: (name) => `“${name}” foi criado.`,
  changed: (name) => `“${name}” foi alterado.`,
  copy: 'Copiar',
  copied: 'Copiado',
  copyByKeys: 'Está selecionado: copie com Ctrl C.',
  unsaved: 'Alterações não salvas',
  changes: (count) => pluralPt(count, '# alteração', '# alterações'),
  discard: 'Descartar',
  order: {
    role: 'ordenável',
    move: (name, at, of) => `Mover ${name}, ${at} de ${of}`,
    lifted: (name, at, of) =>
      `${name} foi erguido em ${at} de ${of}. As setas movem, Espaço solta, Esc devolve.`,
    moved: (name, at, of) => `${name}: ${at} de ${of}.`,
    dropped: (name, at, of) => `${name} foi solto em ${at} de ${of}.`,
    restored: (name, at) => `${name} voltou para ${at}.`,
  },
}

export function useSettingsTexts(): SettingsTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
