import type { Records } from '@sales-crm/core/ports'

/** Sample data of a market. Domains end in `.example`, and phone numbers are in unassigned ranges. */
export type Market = typeof BRAZIL

export const BRAZIL = {
  currency: 'BRL' as Records['deals']['currency'],
  country: 'Brasil',
  firstNames: splitList(`
    Ana, Beatriz, Camila, Daniela, Eduarda, Fernanda, Gabriela, Helena, Juliana, Larissa, Mariana, Patrícia,
    André, Bruno, Caio, Diego, Felipe, Gustavo, Henrique, João, Marcelo, Otávio, Rafael, Thiago
  `),
  lastNames: splitList(`
    Almeida, Araújo, Barbosa, Cardoso, Carvalho, Castro, Correia, Costa, Duarte, Fernandes, Ferreira, Freitas,
    Gonçalves, Lima, Lopes, Martins, Melo, Monteiro, Moraes, Oliveira, Pereira, Ribeiro, Rocha, Souza
  `),
  positions: splitList('CEO, CFO, Analista de Marketing, Gerente de Compras, Gerente de Vendas'),
  /** `#` is a digit. */
  phones: ['+55 11 90000-####', '+55 21 90000-####', '+55 31 90000-####'],
  /** The first and second words of company names. Their numbers have no common divisor. */
  companies: splitList(
    'Alpes, Aurora, Cerrado, Horizonte, Jacarandá, Litoral, Mandacaru, Maré, Pampa, Vale Verde',
  ),
  sectors: splitList('Agro, Alimentos, Consultoria, Educação, Energia, Logística, Móveis, Saúde, Tecnologia'),
  /** Of a company. */
  mailbox: 'contato',
  places: [
    { city: 'Curitiba', state: 'PR', postal_code: '800##-###' },
    { city: 'Recife', state: 'PE', postal_code: '500##-###' },
    { city: 'Salvador', state: 'BA', postal_code: '400##-###' },
  ],
  streets: ['Avenida Brasil', 'Rua das Acácias', 'Rua das Flores', 'Rua Quinze de Novembro', 'Rua São João'],
  offers: splitList('Licenças anuais, Mais licenças, Projeto piloto, Renovação do contrato, Treinamento'),
  /** Titles by the key of the task type. `@` is the person's first name. */
  tasks: {
    call: 'Ligar para @ sobre a proposta',
    email: 'Enviar o contrato para @',
    meeting: 'Apresentar o produto para @',
    task: 'Preparar a proposta de @',
  },
  notes: ['Prefere contato pela manhã.', 'Pediu desconto em um contrato de dois anos.'],
  /** Clean HTML. `@` is the person's first name. */
  activities: [
    '<p><strong>Ligação:</strong> @ gostou da proposta e pediu o contrato até sexta-feira.</p>',
    '<p><strong>Ligação:</strong> @ não atendeu. Deixei recado.</p>',
    '<p><strong>Reunião com @</strong></p><ul><li>Escopo confirmado</li><li>Início em duas semanas</li></ul>',
    '<p><strong>Reunião:</strong> a equipe de @ pediu um <em>projeto piloto</em>.</p>',
    '<p>@ compara com outros dois fornecedores. O prazo pesa mais que o preço.</p>',
  ],
}

export const INTERNATIONAL: Market = {
  currency: 'USD',
  country: 'United States',
  firstNames: splitList(`
    Alice, Amelia, Astrid, Charlotte, Chloe, Clara, Emma, Freya, Grace, Hannah, Ingrid, Julia, Adam, Daniel,
    David, Erik, Ethan, Felix, Hugo, Jack, Lars, Liam, Noah, Oscar
  `),
  lastNames: splitList(`
    Andersson, Bauer, Bennett, Carter, Clarke, Dubois, Edwards, Fischer, Foster, Garcia, Hansen, Hughes,
    Keller, Kowalski, Larsen, Martin, Mitchell, Murphy, Novak, Parker, Rossi, Schneider, Turner, Weber
  `),
  positions: splitList('CEO, CFO, Head of Product, IT Manager, Marketing Analyst, VP Sales'),
  phones: ['+1 212 555-01##', '+1 415 555-01##', '+44 20 7946 0###'],
  companies: splitList(
    'Alder, Beacon, Bluebird, Foxglove, Granite, Harbor, Juniper, Meridian, Redwood, Summit',
  ),
  sectors: splitList(
    'Consulting, Cosmetics, Education, Energy, Foods, Furniture, Health, Robotics, Software',
  ),
  mailbox: 'hello',
  places: [
    { city: 'Austin', state: 'TX', postal_code: '787##' },
    { city: 'New York', state: 'NY', postal_code: '100##' },
    { city: 'Seattle', state: 'WA', postal_code: '981##' },
  ],
  streets: ['Cedar Street', 'Church Street', 'Lake Avenue', 'Main Street', 'Mill Lane', 'Park Road'],
  offers: splitList('Annual licences, Contract renewal, Pilot project, Seat expansion, Training'),
  tasks: {
    call: 'Call @ about the proposal',
    email: 'Send the contract to @',
    meeting: 'Show the product to @',
    task: 'Prepare the proposal for @',
  },
  notes: ['Prefers to be reached in the morning.', 'Asked for a discount on a two-year term.'],
  activities: [
    '<p><strong>Call:</strong> @ liked the proposal and asked for the contract by Friday.</p>',
    '<p><strong>Call:</strong> @ did not answer. Left a message.</p>',
    '<p><strong>Meeting with @</strong></p><ul><li>Scope agreed</li><li>Start in two weeks</li></ul>',
    '<p><strong>Meeting:</strong> the team of @ asked for a <em>pilot</em>.</p>',
    '<p>@ is comparing us with two others. The date weighs more than the price.</p>',
  ],
}

function splitList(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim())
}
