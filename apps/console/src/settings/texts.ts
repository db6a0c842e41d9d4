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
    visibility: 'Teams, visibility',
    pipelines: 'Pipelines',
    lostReasons: 'Lost reasons',
    customFields: 'Custom fields',
    taskTypes: 'Task types',
    tags: 'Tags',
    lists: 'Lists',
    imports: 'Imports',
    webhooks: 'Apps and webhooks',
  },
  labels: {
    colour: 'Colour',
    colourOf: (name: string) => `Colour of ${name}`,
    colours: ['Grey', 'Red', 'Rust', 'Ochre', 'Green', 'Teal', 'Blue', 'Violet'] as readonly string[],
    otherColour: 'Another colour',
    records: (count: number) => plural(count, '# record', '# records'),
    taskTypes: {
      lead: 'What a task can be. The key, at the end, is what programs call it.',
      add: 'New task type',
      empty: 'There are no task types. Add one above, such as Call.',
      deleteText: 'Tasks of this type stay, without a type. This cannot be undone.',
    },
    tags: {
      lead: 'Tags mark people, companies and deals. The key, at the end, is what programs call them.',
      add: 'New tag',
      empty: 'There are no tags. Add one above, such as VIP.',
      deleteText: 'It disappears from the records that have it. This cannot be undone.',
    },
    lists: {
      lead: 'A list holds people, companies and deals for a purpose, such as a fair or a campaign.',
      add: 'New list',
      empty: 'There are no lists. Add one above; records are put on it on their pages.',
      deleteText: 'The records on it stay. This cannot be undone.',
    },
  },
  lostReasons: {
    lead: 'Why deals are lost. The dialog of a lost deal offers them in this order, and the reports count them.',
    add: 'New reason',
    empty: 'There are no reasons. Add one above, such as Price.',
    deleteText: 'Deals that were lost for it keep it. It can no longer be chosen. This cannot be undone.',
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
    visibility: 'Equipes, visibilidade',
    pipelines: 'Funis',
    lostReasons: 'Motivos de perda',
    customFields: 'Campos personalizados',
    taskTypes: 'Tipos de tarefa',
    tags: 'Etiquetas',
    lists: 'Listas',
    imports: 'Importações',
    webhooks: 'Aplicativos e webhooks',
  },
  labels: {
    colour: 'Cor',
    colourOf: (name) => `Cor de ${name}`,
    colours: ['Cinza', 'Vermelho', 'Ferrugem', 'Ocre', 'Verde', 'Turquesa', 'Azul', 'Violeta'],
    otherColour: 'Outra cor',
    records: (count) => pluralPt(count, '# registro', '# registros'),
    taskTypes: {
      lead: 'O que uma tarefa pode ser. A chave, no fim, é como os programas a chamam.',
      add: 'Novo tipo de tarefa',
      empty: 'Não há tipos de tarefa. Adicione um acima, como Ligação.',
      deleteText: 'As tarefas deste tipo ficam, sem tipo. Isto não pode ser desfeito.',
    },
    tags: {
      lead: 'Etiquetas marcam pessoas, empresas e negócios. A chave, no fim, é como os programas as chamam.',
      add: 'Nova etiqueta',
      empty: 'Não há etiquetas. Adicione uma acima, como VIP.',
      deleteText: 'Ela some dos registros que a têm. Isto não pode ser desfeito.',
    },
    lists: {
      lead: 'Uma lista reúne pessoas, empresas e negócios para um fim, como uma feira ou uma campanha.',
      add: 'Nova lista',
      empty: 'Não há listas. Adicione uma acima; os registros entram nela em suas páginas.',
      deleteText: 'Os registros dela ficam. Isto não pode ser desfeito.',
    },
  },
  lostReasons: {
    lead: 'Por que negócios são perdidos. A caixa de um negócio perdido os oferece nesta ordem, e os relatórios os contam.',
    add: 'Novo motivo',
    empty: 'Não há motivos. Adicione um acima, como Preço.',
    deleteText:
      'Os negócios perdidos por ele o mantêm. Não pode mais ser escolhido. Isto não pode ser desfeito.',
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
