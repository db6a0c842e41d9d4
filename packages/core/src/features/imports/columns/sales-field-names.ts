import { COMMON, CREATED, type FieldNames, ID, match, matchOwn, OWNER } from './common-field-names.ts'

const CURRENCY = [
  'currency',
  'currency code',
  'moeda',
  'código da moeda',
  'currency of value',
  'moeda de valor',
] as const

export const DEALS: FieldNames = {
  name: [
    match('deal name', 'deal title', 'opportunity name', 'nome do negócio', 'título do negócio'),
    match('deal', 'negócio', 'opportunity', 'oportunidade', 'nome da oportunidade'),
    matchOwn('name', 'title', 'nome', 'título'),
  ],
  amount: [match('amount', 'amount amount', 'value', 'valor', 'montante'), match('valor total', 'total')],
  currency: [match(...CURRENCY, 'amount currency code')],
  pipeline: [match('pipeline', 'sales pipeline', 'funil', 'funil de vendas')],
  stage: [match('stage', 'pipeline stage', 'stage name', 'etapa', 'etapa do funil', 'estágio', 'fase')],
  status: [matchOwn('status', 'situação')],
  source: [match('source', 'lead source', 'origem', 'fonte')],
  forecast_date: [
    match('expected close date', 'expected closing date', 'forecast date', 'forecast', 'previsão'),
    match('previsão de fechamento', 'data prevista', 'data prevista de fechamento', 'fechamento esperado'),
    match('data de fechamento prevista', 'data de fechamento esperada', 'data esperada de fechamento'),
    match('close date', 'closing date'),
  ],
  closed_at: [
    match('closed at', 'closed date', 'closed on', 'close time', 'actual close date'),
    match('fechado em', 'fechada em', 'data de fechamento'),
  ],
  'closed_at:won': [match('won time', 'won at', 'won date', 'data do ganho', 'data de ganho', 'ganho em')],
  'closed_at:lost': [
    match('lost time', 'lost at', 'lost date', 'data da perda', 'data de perda', 'perdido em'),
  ],
  ...COMMON,
}

export const PRODUCTS: FieldNames = {
  name: [
    matchOwn('product name', 'nome do produto'),
    matchOwn('product', 'produto', 'item'),
    matchOwn('name', 'nome', 'title'),
  ],
  code: [matchOwn('code', 'product code', 'sku', 'código', 'código do produto', 'referência', 'part number')],
  price_cts: [
    matchOwn('price', 'unit price', 'list price', 'preço', 'preço unitário'),
    matchOwn('valor', 'valor unitário'),
  ],
  currency: [matchOwn(...CURRENCY)],
  description: [matchOwn('description', 'descrição', 'detalhes', 'details')],
  billing_cycle: [matchOwn('billing cycle', 'billing frequency', 'recorrência', 'ciclo de cobrança')],
  is_active: [matchOwn('is active', 'active', 'enabled', 'ativo', 'ativa')],
  image: [matchOwn('image', 'image url', 'imagem', 'photo', 'foto')],
  ...ID,
  ...CREATED,
}

export const TASKS: FieldNames = {
  title: [
    matchOwn('task title', 'task name', 'nome da tarefa', 'título da tarefa'),
    matchOwn('title', 'subject', 'título', 'assunto'),
    matchOwn('task', 'tarefa', 'name', 'nome'),
  ],
  notes: [
    matchOwn('notes', 'note', 'description', 'body', 'observações', 'observação', 'descrição', 'notas'),
  ],
  due_date: [
    matchOwn('due date', 'due', 'due at', 'vencimento', 'data de vencimento', 'prazo'),
    matchOwn('date', 'data'),
  ],
  type: [matchOwn('task type', 'type', 'tipo', 'tipo de tarefa')],
  priority: [matchOwn('priority', 'prioridade')],
  completed: [matchOwn('completed', 'is completed', 'done', 'concluída', 'concluído', 'finalizada', 'feito')],
  ...ID,
  ...CREATED,
  ...OWNER,
}

export const ACTIVITIES: FieldNames = {
  content_html: [
    matchOwn(
      'content',
      'note',
      'notes',
      'note body',
      'body',
      'text',
      'nota',
      'notas',
      'anotação',
      'anotações',
    ),
    matchOwn(
      'comment',
      'comments',
      'conteúdo',
      'texto',
      'comentário',
      'comentários',
      'observação',
      'observações',
    ),
    matchOwn('description', 'descrição', 'subject', 'assunto'),
  ],
  ...ID,
  created_at: [...CREATED['created_at']!, matchOwn('date', 'data')],
  ...OWNER,
}
