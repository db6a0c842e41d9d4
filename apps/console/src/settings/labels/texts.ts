import { useConsole } from '../../app/console-context.ts'
import { createPlural } from '../../texts/plural.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

const en = {
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
}

export type LabelTexts = typeof en

const ptBr: LabelTexts = {
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
}

export function useLabelTexts(): LabelTexts {
  return useConsole().texts.language === 'pt-BR' ? ptBr : en
}
