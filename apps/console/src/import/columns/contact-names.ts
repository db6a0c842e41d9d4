import type { ImportKind } from '../can-import.ts'

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
/** What belongs to the company of a person is not the person's. */
const COMPANY = ['company', 'organization', 'account', 'empresa', 'organizacao']
const OWNER_WORDS = [
  ...['name', 'full', 'contact', 'record', 'lead', 'account', 'user', 'of', 'the', 's', 'hubspot'],
  ...['nome', 'completo', 'contato', 'registro', 'conta', 'usuario', 'do', 'da', 'de', 'pelo', 'pela'],
]
const ADDRESS_WORDS = [
  ...['full', 'complete', 'mailing', 'postal', 'billing', 'completo', 'entrega', 'cobranca'],
]

/**
 * The target of a column of e-mail addresses, phone numbers or owners, by the words of its folded name. With
 * words that are not known it is something else, such as `Email Status`.
 */
export function contactTarget(name: string, kind: ImportKind): string | undefined {
  const common = [...NEUTRAL, ...HOME, ...OTHER, ...WORK, ...(kind === 'companies' ? COMPANY : [])]
  const type = hasAny(name, HOME) ? 'home' : hasAny(name, OTHER) ? 'other' : 'work'
  const hasOnly = (...words: readonly string[]) => hasOnlyWords(name, words)
  if (hasAny(name, OWNER))
    return hasOnly(...OWNER, ...OWNER_WORDS, ...EMAIL, ...ADDRESS) ? 'owner' : undefined
  if (hasAny(name, EMAIL)) return hasOnly(...EMAIL, ...ADDRESS, ...common) ? `email:${type}` : undefined
  if (!hasOnly(...MOBILE, ...PHONE, ...NUMBER, ...common)) return undefined
  if (hasAny(name, MOBILE)) return 'phone:mobile'
  return hasAny(name, PHONE) ? `phone:${type}` : undefined
}

/** True for a name that speaks of e-mail or phones, whatever it says about them. */
export function isAboutContact(name: string): boolean {
  return hasAny(name, [...EMAIL, ...MOBILE, ...PHONE])
}

/** True for words beside the label of an address that leave it the address of the record. */
export function isAddressKind(words: string): boolean {
  return hasOnlyWords(words, [...NEUTRAL, ...HOME, ...OTHER, ...WORK, ...COMPANY, ...ADDRESS_WORDS])
}

function hasAny(name: string, words: readonly string[]): boolean {
  return words.some((word) => ` ${name} `.includes(` ${word} `))
}

/** Counting words, such as `2` and `2o`, are always known. */
function hasOnlyWords(name: string, words: readonly string[]): boolean {
  // A word that is there twice would be tried twice at each place.
  const word = [...new Set(words), '\\d+[oa]?'].join('|')
  return new RegExp(`^(?:(?:${word})(?: |$))*$`).test(name)
}
