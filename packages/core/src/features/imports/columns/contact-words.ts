import type { EmailType, PhoneType } from '../../../schema/contact.ts'

const HOME = ['home', 'personal', 'private', 'pessoal', 'particular', 'residencial', 'casa']
const OTHER = [
  ...['other', 'outro', 'outros', 'alternate', 'alternative', 'alternativo', 'additional', 'adicional'],
  ...['secondary', 'secundario'],
]
const WORK = [
  ...['work', 'business', 'office', 'corporate', 'professional', 'trabalho', 'comercial', 'corporativo'],
  ...['empresarial', 'profissional'],
]
const EMAIL = ['email', 'emails', 'mail', 'e mail', 'e mails', 'correio eletronico', 'endereco eletronico']
const MOBILE = ['mobile', 'cell', 'cellphone', 'celular', 'whatsapp', 'whats app', 'movel', 'cel']
const PHONE = ['phone', 'phones', 'telephone', 'tel', 'telefone', 'telefones', 'fone']
const OWNER = ['owner', 'responsavel', 'vendedor']

/** Words that leave an address or number one of the record itself. */
const NEUTRAL = [
  ...['main', 'primary', 'preferred', 'default', 'direct', 'second', 'value', 'contact', 'person', 'client'],
  ...['customer', 'lead', 'user', 'student', 'of', 'the'],
  ...['principal', 'preferencial', 'direto', 'segundo', 'contato', 'pessoa', 'cliente', 'usuario', 'aluno'],
  ...['de', 'do', 'da', 'para', 'valor'],
]
const ADDRESS = ['address', 'addresses', 'endereco', 'enderecos']
const NUMBER = [
  ...['number', 'numbers', 'no', 'num', 'landline', 'numero', 'numeros', 'n', 'fixo', 'com ddd', 'c ddd'],
]
const OWNER_WORDS = [
  ...['name', 'full', 'contact', 'record', 'lead', 'account', 'user', 'of', 'the', 's', 'hubspot'],
  ...['nome', 'completo', 'contato', 'registro', 'conta', 'usuario', 'do', 'da', 'de', 'pelo', 'pela'],
]
const ADDRESS_WORDS = [
  ...['full', 'complete', 'mailing', 'postal', 'billing', 'completo', 'entrega', 'cobranca'],
]
const OTHERS = [
  ...[
    'manager',
    'assistant',
    'supervisor',
    'spouse',
    'parent',
    'referred',
    'referrer',
    'created by',
    'updated by',
  ],
  ...['gerente', 'assistente', 'indicado', 'indicacao', 'conjuge', 'criado por', 'atualizado por'],
]
const COMPANY = ['company', 'organization', 'empresa', 'organizacao']

export type ContactField = `emails:${EmailType}` | `phones:${PhoneType}` | 'owner_email'

/**
 * Finds the field of a column of e-mail addresses, phone numbers or owners, by the words of its folded name. With
 * words that are not known it is something else, such as `Email Status`.
 */
export function findContactField(name: string): ContactField | undefined {
  const common = [...NEUTRAL, ...HOME, ...OTHER, ...WORK]
  const type = findType(name)
  if (hasAny(name, OWNER))
    return hasOnly(name, [...OWNER, ...OWNER_WORDS, ...EMAIL, ...ADDRESS]) ? 'owner_email' : undefined
  if (hasAny(name, EMAIL))
    return hasOnly(name, [...EMAIL, ...ADDRESS, ...common]) ? `emails:${type}` : undefined
  if (!hasOnly(name, [...MOBILE, ...PHONE, ...NUMBER, ...common])) return undefined
  if (hasAny(name, MOBILE)) return 'phones:mobile'
  return hasAny(name, PHONE) ? `phones:${type}` : undefined
}

/** The field with the type that labels in another column name, such as `* Home`. */
export function applyLabel(field: ContactField, label: string): ContactField {
  const isEmail = field.startsWith('emails')
  if (hasAny(label, MOBILE)) return isEmail ? field : 'phones:mobile'
  return `${isEmail ? 'emails' : 'phones'}:${findType(label)}`
}

/** True for a name that speaks of e-mail or phones, whatever it says about them. */
export function isAboutContact(name: string): boolean {
  return hasAny(name, [...EMAIL, ...MOBILE, ...PHONE])
}

/** True for a name that speaks of someone else than the record, such as `Manager`. */
export function isAboutOthers(name: string): boolean {
  return hasAny(name, [...OWNER, ...OTHERS])
}

/** True for words beside the label of an address that leave it the address of the record. */
export function isAddressKind(words: string): boolean {
  return hasOnly(words, [...NEUTRAL, ...HOME, ...OTHER, ...WORK, ...COMPANY, ...ADDRESS_WORDS])
}

function findType(name: string): EmailType {
  return hasAny(name, HOME) ? 'home' : hasAny(name, OTHER) ? 'other' : 'work'
}

function hasAny(name: string, words: readonly string[]): boolean {
  return words.some((word) => ` ${name} `.includes(` ${word} `))
}

/** Counting words, such as `2` and `2o`, are always known. */
function hasOnly(name: string, words: readonly string[]): boolean {
  // A word that is there twice would be tried twice at each place.
  const word = [...new Set(words), '\\d+[oa]?'].join('|')
  return new RegExp(`^(?:(?:${word})(?: |$))*$`).test(name)
}
