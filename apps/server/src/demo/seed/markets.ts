/** Sample data of a market. Domains end in `.example`, and phone numbers are in unassigned ranges. */
export interface Market {
  readonly currency: 'BRL' | 'USD'
  readonly firstNames: readonly string[]
  readonly lastNames: readonly string[]
  readonly lastNamesEach: number
  readonly positions: readonly string[]
  /** `#` is a digit. */
  readonly phones: readonly string[]
  readonly companies: readonly string[]
  readonly sectors: readonly string[]
  readonly country: string
  readonly places: readonly Town[]
  readonly streets: readonly string[]
  readonly offers: readonly string[]
  /** `@` is the person's first name. */
  readonly tasks: readonly { readonly key: string; readonly title: string }[]
  readonly notes: readonly string[]
  /** Calls, meetings and notes as clean HTML; `@` is the person's first name. */
  readonly activities: readonly string[]
}

export interface Town {
  readonly city: string
  readonly state: string
  /** `#` is a digit. */
  readonly postalCode: string
}

function splitList(text: string): string[] {
  return text.split(',').map((word) => word.trim())
}

/** Parses items in the format `city/state/postal code`. */
function parseTowns(text: string): Town[] {
  return splitList(text).map((word) => {
    const [city = '', state = '', postalCode = ''] = word.split('/')
    return { city, state, postalCode }
  })
}

export const BRAZIL: Market = {
  currency: 'BRL',
  firstNames: splitList(`
    Ana, Beatriz, Camila, Daniela, Eduarda, Fernanda, Gabriela, Helena, Isabela, Juliana, Larissa, Mariana,
    Natália, Patrícia, Renata, Vitória, André, Bruno, Caio, Diego, Eduardo, Felipe, Gustavo, Henrique, Igor,
    João, Leonardo, Marcelo, Otávio, Paulo, Rafael, Thiago
  `),
  lastNames: splitList(`
    Almeida, Araújo, Azevedo, Barbosa, Cardoso, Carvalho, Castro, Cavalcanti, Correia, Costa, Duarte,
    Fernandes, Ferreira, Freitas, Gonçalves, Lima, Lopes, Machado, Martins, Melo, Monteiro, Moraes,
    Nascimento, Nogueira, Oliveira, Pereira, Ribeiro, Rocha, Santos, Silveira, Souza, Teixeira
  `),
  lastNamesEach: 2,
  positions: splitList(`
    Analista de Marketing, CEO, CFO, Especialista em TI, Gerente de Compras, Gerente de Finanças,
    Gerente de Operações, Gerente de Vendas, Head de Produto, Assistente de Logística
  `),
  phones: splitList(`
    +55 11 90000-####, +55 21 90000-####, +55 31 90000-####, +55 41 90000-####, +55 51 90000-####,
    +55 71 90000-####, +55 81 90000-####
  `),
  companies: splitList(`
    Alpes, Araucária, Aurora, Bandeirante, Cerrado, Cruzeiro, Diamantina, Guará, Horizonte, Ipê, Jacarandá,
    Litoral, Mandacaru, Maré, Pampa, Planalto, Rio Claro, Serra Azul, Tropical, Vale Verde
  `),
  sectors: splitList(`
    Agro, Alimentos, Consultoria, Cosméticos, Educação, Energia, Engenharia, Logística, Móveis, Saúde,
    Tecnologia, Têxtil
  `),
  country: 'Brasil',
  places: parseTowns(`
    Belo Horizonte/MG/301##-###, Brasília/DF/700##-###, Campinas/SP/130##-###, Curitiba/PR/800##-###,
    Florianópolis/SC/880##-###, Fortaleza/CE/600##-###, Goiânia/GO/740##-###, Porto Alegre/RS/900##-###,
    Recife/PE/500##-###, Salvador/BA/400##-###, Santos/SP/110##-###
  `),
  streets: splitList(`
    Avenida Brasil, Avenida Paulista, Rua da Praia, Rua das Acácias, Rua das Flores, Rua Quinze de Novembro,
    Rua São João
  `),
  offers: splitList(`
    Consultoria de implantação, Expansão de licenças, Licenças anuais, Projeto piloto,
    Renovação do contrato, Suporte premium, Treinamento da equipe
  `),
  tasks: [
    { key: 'call', title: 'Ligar para @ sobre a proposta' },
    { key: 'email', title: 'Enviar o contrato para @' },
    { key: 'meeting', title: 'Apresentar o produto para @' },
    { key: 'task', title: 'Preparar a proposta de @' },
    { key: 'call', title: 'Confirmar a data de início com @' },
    { key: 'email', title: 'Responder as dúvidas de @' },
  ],
  notes: [
    'Prefere contato pela manhã.',
    'Pediu desconto em um contrato de dois anos.',
    'Quer ver antes a integração com o ERP.',
    'A decisão sai depois da reunião do conselho.',
  ],
  activities: [
    '<p><strong>Ligação:</strong> @ gostou da proposta e pediu o contrato até sexta-feira.</p>',
    '<p><strong>Ligação:</strong> @ não atendeu. Deixei recado e volto a ligar na semana que vem.</p>',
    '<p><strong>Reunião com @</strong></p>' +
      '<ul><li>Escopo confirmado</li><li>Início em duas semanas</li><li>Falta o aval do jurídico</li></ul>',
    '<p><strong>Reunião:</strong> apresentamos o produto à equipe de @. ' +
      'Pediram um <em>projeto piloto</em>.</p>',
    '<p>@ compara com outros dois fornecedores. O prazo pesa mais que o preço.</p>',
    '<p>Indicação de um cliente antigo. Conversar com @ antes do fim do mês.</p>',
  ],
}

export const INTERNATIONAL: Market = {
  currency: 'USD',
  firstNames: splitList(`
    Alice, Amelia, Astrid, Charlotte, Chloe, Clara, Emma, Freya, Grace, Hannah, Ingrid, Julia, Laura,
    Olivia, Sofia, Zoe, Adam, Daniel, David, Erik, Ethan, Felix, Hugo, Jack, Lars, Liam, Lucas, Mateusz,
    Noah, Oscar, Samuel, Thomas
  `),
  lastNames: splitList(`
    Andersson, Bauer, Bennett, Carter, Clarke, Dubois, Edwards, Fischer, Foster, Garcia, Hansen, Hughes,
    Jansen, Keller, Kowalski, Lambert, Larsen, Lindgren, Martin, Mitchell, Moreau, Murphy, Nielsen, Novak,
    Parker, Reed, Rossi, Schneider, Sullivan, Turner, Walker, Weber
  `),
  lastNamesEach: 1,
  positions: splitList(`
    Account Executive, CEO, CFO, Head of Operations, Head of Product, IT Manager, Marketing Analyst,
    Operations Manager, Procurement Manager, VP Sales
  `),
  phones: splitList(
    '+1 212 555-01##, +1 415 555-01##, +1 512 555-01##, +1 617 555-01##, +44 20 7946 0###, +44 161 496 0###',
  ),
  companies: splitList(`
    Alder, Beacon, Bluebird, Brightwater, Clearwater, Falkenberg, Foxglove, Granite, Harbor, Ironbridge,
    Juniper, Kestrel, Lakeside, Lindqvist, Meridian, Moreau, Oakfield, Redwood, Silverline, Summit
  `),
  sectors: splitList(`
    Consulting, Cosmetics, Education, Energy, Engineering, Foods, Furniture, Health, Logistics, Robotics,
    Software, Textiles
  `),
  country: 'United States',
  places: parseTowns(`
    Austin/TX/787##, Boston/MA/021##, Chicago/IL/606##, Denver/CO/802##, Miami/FL/331##,
    Minneapolis/MN/554##, New York/NY/100##, Portland/OR/972##, San Diego/CA/921##, San Francisco/CA/941##,
    Seattle/WA/981##
  `),
  streets: splitList(
    'Cedar Street, Church Street, Harbor Drive, Lake Avenue, Main Street, Mill Lane, Oak Avenue, Park Road',
  ),
  offers: splitList(`
    Annual licences, Contract renewal, Onboarding services, Pilot project, Premium support, Seat expansion,
    Team training
  `),
  tasks: [
    { key: 'call', title: 'Call @ about the proposal' },
    { key: 'email', title: 'Send the contract to @' },
    { key: 'meeting', title: 'Show the product to @' },
    { key: 'task', title: 'Prepare the proposal for @' },
    { key: 'call', title: 'Confirm the start date with @' },
    { key: 'email', title: 'Answer the questions from @' },
  ],
  notes: [
    'Prefers to be reached in the morning.',
    'Asked for a discount on a two-year term.',
    'Wants to see the integration with their ERP first.',
    'Decision expected after their board meets.',
  ],
  activities: [
    '<p><strong>Call:</strong> @ liked the proposal and asked for the contract by Friday.</p>',
    '<p><strong>Call:</strong> @ did not answer. Left a message and will try again next week.</p>',
    '<p><strong>Meeting with @</strong></p>' +
      '<ul><li>Scope agreed</li><li>Start in two weeks</li><li>Legal still has to sign off</li></ul>',
    '<p><strong>Meeting:</strong> showed the product to the team of @. They asked for a <em>pilot</em>.</p>',
    '<p>@ is comparing us with two others. The date weighs more than the price.</p>',
    '<p>Referred by a customer of long standing. Talk to @ before the end of the month.</p>',
  ],
}

export const SOURCES = splitList('Event, Inbound call, LinkedIn, Outbound, Partner, Referral, Website')
