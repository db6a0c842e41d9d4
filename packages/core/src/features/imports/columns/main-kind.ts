import { compactText } from '../folded-text.ts'
import { findContactField } from './contact-words.ts'
import { IMPORT_KINDS, type ImportKind } from './import-kind.ts'

/** Names that tell what the rows of a file are, by their weight. */
const EVIDENCE: Readonly<Record<ImportKind, Readonly<Record<number, readonly string[]>>>> = {
  people: {
    1: ['name', 'nome', 'birthday', 'gender'],
    6: [
      ...['first name', 'last name', 'given name', 'family name', 'surname', 'sobrenome', 'full name'],
      ...['nome completo', 'job title', 'cargo', 'cpf', 'data de nascimento', 'primeiro nome'],
    ],
  },
  companies: {
    1: ['company', 'organization', 'empresa', 'organização', 'industry', 'setor', 'employees'],
    1.25: ['website', 'site', 'domain', 'company domain name'],
    2: [...['company name', 'organization name', 'nome da empresa', 'razão social', 'nome fantasia', 'cnpj']],
  },
  deals: {
    1: [
      ...['amount', 'value', 'valor', 'stage', 'etapa', 'pipeline', 'funil', 'close date', 'probability'],
      ...['expected close date', 'previsão', 'previsão de fechamento', 'data de fechamento', 'forecast'],
    ],
    20: [
      ...['deal name', 'deal title', 'opportunity name', 'nome do negócio', 'título do negócio'],
      ...['deal', 'negócio', 'opportunity', 'oportunidade', 'deal stage', 'deal owner'],
    ],
  },
  products: {
    1: ['description', 'descrição', 'currency', 'moeda'],
    3: [
      ...['sku', 'price', 'unit price', 'preço', 'preço unitário', 'product', 'produto', 'product name'],
      ...['nome do produto', 'código do produto', 'product code', 'billing cycle'],
    ],
  },
  tasks: {
    1: ['title', 'título', 'subject', 'assunto', 'type', 'tipo'],
    3: [
      ...['due date', 'vencimento', 'prazo', 'priority', 'prioridade', 'completed', 'concluída'],
      'data de vencimento',
    ],
    20: ['task', 'tarefa', 'task name', 'task title', 'nome da tarefa'],
  },
  activities: {
    0.5: ['date', 'data'],
    1: ['note', 'nota', 'notes', 'notas', 'content', 'body', 'conteúdo', 'texto'],
    3: ['note body', 'activity', 'atividade', 'anotação'],
  },
}

const WEIGHTS = IMPORT_KINDS.map((kind) => {
  const entries = Object.entries(EVIDENCE[kind]).flatMap(([weight, names]) =>
    names.map((name) => [compactText(name), Number(weight)] as const),
  )
  return { kind, weights: new Map(entries) }
})

/** Of an address or number: people and companies have them, and deals do not. */
const CONTACT_WEIGHT = 5
/** People have addresses more often. */
const EMAIL_WEIGHT = 0.5
/** A name beside that of a company is one of a person. */
const NAME_BESIDE_COMPANY_WEIGHT = 4

/** Infers what a row of a file is, by the folded names of its columns. */
export function inferMainKind(names: readonly string[]): ImportKind {
  const contacts = names.map(findContactField)
  const hasEmail = contacts.some((field) => field?.startsWith('emails'))
  const hasContact = hasEmail || contacts.some((field) => field?.startsWith('phones'))
  const hasAny = (...sought: readonly string[]) => names.some((name) => sought.includes(name))
  const isBesideCompany =
    hasAny('name', 'nome') && hasAny('company', 'company name', 'organization', 'empresa', 'nome da empresa')
  const bonuses: Partial<Record<ImportKind, number>> = {
    people:
      (hasContact ? CONTACT_WEIGHT : 0) +
      (hasEmail ? EMAIL_WEIGHT : 0) +
      (isBesideCompany ? NAME_BESIDE_COMPANY_WEIGHT : 0),
    companies: hasContact ? CONTACT_WEIGHT : 0,
  }
  const scores = WEIGHTS.map(({ kind, weights }) => ({
    kind,
    score: names.reduce((sum, name) => sum + (weights.get(compactText(name)) ?? 0), bonuses[kind] ?? 0),
  }))
  // Of equal scores, the first kind is the most usual one.
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).kind
}
