/** The words of the examples in a language. Companies, people and deals refer to each other by their positions. */
export interface ExampleTexts {
  readonly pipeline: {
    readonly name: string
    readonly stages: readonly [string, string, string, string, string]
  }
  readonly companies: readonly string[]
  /** Name, position, and the company. */
  readonly people: readonly (readonly [name: string, position: string, company: number])[]
  /** Name, the person with whose company it is, and the amount in thousands. */
  readonly deals: readonly (readonly [name: string, person: number, thousands: number])[]
  /** Title, the key of its type, the deal, and the days from today until it is due. */
  readonly tasks: readonly (readonly [title: string, type: string, deal: number, days: number])[]
}

const en: ExampleTexts = {
  pipeline: { name: 'Sales', stages: ['New', 'Qualified', 'Offer', 'Won', 'Lost'] },
  companies: ['Alder Office', 'Birch Hotels', 'Cedar Clinic', 'Dune Logistics', 'Elm School', 'Fern Studio'],
  people: [
    ['Alma Reed', 'Head of purchasing', 0],
    ['Bruno Vale', 'Manager', 1],
    ['Carla Stone', 'Director', 2],
    ['Dario Wells', 'Fleet manager', 3],
    ['Edda Lane', 'Principal', 4],
    ['Felix Moor', 'Owner', 5],
    ['Greta Hall', 'Assistant', 0],
    ['Hugo Park', 'Technician', 3],
  ],
  deals: [
    ['Desks for the new floor', 0, 18],
    ['Chairs, second delivery', 6, 7],
    ['Lobby furniture', 1, 32],
    ['Rooms 100 to 140', 1, 54],
    ['Waiting room', 2, 9],
    ['Cabinets for the archive', 2, 12],
    ['Depot lighting', 3, 21],
    ['Maintenance for a year', 7, 15],
    ['Classrooms', 4, 40],
    ['Library shelves', 4, 11],
    ['Studio desks', 5, 6],
    ['Sofas', 5, 4],
  ],
  tasks: [
    ['Call back about the sizes', 'call', 0, -1],
    ['Send the offer', 'email', 2, 0],
    ['Ask who decides', 'call', 4, 0],
    ['Visit the rooms', 'meeting', 3, 1],
    ['Remind of the offer', 'email', 6, 2],
    ['Plan the delivery', 'task', 1, 3],
    ['Meet the principal', 'meeting', 8, 5],
    ['Check the terms', 'task', 7, 7],
  ],
}

const ptBr: ExampleTexts = {
  pipeline: { name: 'Vendas', stages: ['Novo', 'Qualificado', 'Proposta', 'Ganho', 'Perdido'] },
  companies: [
    'Escritórios Angico',
    'Hotéis Buriti',
    'Clínica Cedro',
    'Logística Duna',
    'Escola Embaúba',
    'Estúdio Figueira',
  ],
  people: [
    ['Alma Rezende', 'Chefe de compras', 0],
    ['Bruno Vale', 'Gerente', 1],
    ['Carla Souza', 'Diretora', 2],
    ['Dário Veiga', 'Gerente de frota', 3],
    ['Edna Lemos', 'Diretora da escola', 4],
    ['Félix Moura', 'Proprietário', 5],
    ['Greta Holanda', 'Assistente', 0],
    ['Hugo Paiva', 'Técnico', 3],
  ],
  deals: [
    ['Mesas para o novo andar', 0, 18],
    ['Cadeiras, segunda entrega', 6, 7],
    ['Móveis da recepção', 1, 32],
    ['Quartos 100 a 140', 1, 54],
    ['Sala de espera', 2, 9],
    ['Armários do arquivo', 2, 12],
    ['Iluminação do depósito', 3, 21],
    ['Manutenção por um ano', 7, 15],
    ['Salas de aula', 4, 40],
    ['Estantes da biblioteca', 4, 11],
    ['Mesas do estúdio', 5, 6],
    ['Sofás', 5, 4],
  ],
  tasks: [
    ['Retornar sobre as medidas', 'call', 0, -1],
    ['Enviar a proposta', 'email', 2, 0],
    ['Perguntar quem decide', 'call', 4, 0],
    ['Visitar os quartos', 'meeting', 3, 1],
    ['Lembrar da proposta', 'email', 6, 2],
    ['Planejar a entrega', 'task', 1, 3],
    ['Reunião com a diretora', 'meeting', 8, 5],
    ['Conferir as condições', 'task', 7, 7],
  ],
}

/** @param language a language tag such as `pt-BR` */
export function exampleTexts(language: string): ExampleTexts {
  return language.toLowerCase().startsWith('pt') ? ptBr : en
}
