import type { ImportKind } from '../can-import.ts'
import { COMPANY_NAME } from './target.ts'

const COMPANY_NAMES = [
  'company',
  'company name',
  'organization',
  'organisation',
  'organization name',
  'account',
  'account name',
  'empresa',
  'nome da empresa',
  'nome empresa',
  'organizacao',
  'razao social',
  'nome fantasia',
]

/** The usual names of columns in English and Portuguese, folded, by the id of the target. */
const CONTACT_NAMES: Readonly<Record<string, readonly string[]>> = {
  position: ['position', 'job title', 'title', 'role', 'job', 'cargo', 'funcao'],
  website: ['website', 'web site', 'site', 'web', 'url', 'homepage', 'domain', 'pagina', 'dominio'],
  owner: [
    'owner',
    'owner email',
    'record owner',
    'contact owner',
    'account owner',
    'sales rep',
    'salesperson',
    'responsavel',
    'vendedor',
    'proprietario',
    'dono',
  ],
  tags: ['tags', 'tag', 'labels', 'label', 'etiquetas', 'etiqueta', 'marcadores'],
  note: [
    'note',
    'notes',
    'comment',
    'comments',
    'remarks',
    'obs',
    'observacao',
    'observacoes',
    'nota',
    'notas',
    'anotacao',
    'anotacoes',
    'comentario',
    'comentarios',
  ],
}

const PERSON_NAMES: Readonly<Record<string, readonly string[]>> = {
  fullName: [
    'name',
    'full name',
    'contact',
    'contact name',
    'person',
    'person name',
    'nome',
    'nome completo',
    'contato',
    'nome do contato',
    'pessoa',
  ],
  firstName: ['first name', 'given name', 'primeiro nome'],
  lastName: ['last name', 'family name', 'surname', 'sobrenome', 'ultimo nome'],
  company: COMPANY_NAMES,
}

export const ADDRESS_NAMES: Readonly<Record<string, readonly string[]>> = {
  street: ['street', 'street address', 'address', 'rua', 'endereco', 'logradouro'],
  number: ['street number', 'house number', 'numero', 'numero do endereco'],
  complement: ['complement', 'complemento'],
  district: ['district', 'neighborhood', 'neighbourhood', 'bairro'],
  city: ['city', 'town', 'cidade', 'municipio'],
  state: ['state', 'province', 'region', 'estado', 'uf'],
  postal_code: ['postal code', 'zip', 'zip code', 'postcode', 'cep', 'codigo postal'],
  country: ['country', 'pais'],
}

export function columnNames(kind: ImportKind): Readonly<Record<string, readonly string[]>> {
  return kind === 'people'
    ? { ...PERSON_NAMES, ...CONTACT_NAMES }
    : { [COMPANY_NAME]: ['name', 'full name', 'nome', ...COMPANY_NAMES], ...CONTACT_NAMES }
}

const HOME = ['home', 'personal', 'private', 'pessoal', 'particular', 'residencial', 'casa']
const OTHER = ['other', 'outro', 'outros', 'alternate', 'alternativo', 'secundario']
const EMAIL = ['email', 'emails', 'mail', 'e mail']
const MOBILE = ['mobile', 'cell', 'cellphone', 'celular', 'whatsapp', 'movel', 'cel']
const PHONE = ['phone', 'phones', 'telephone', 'tel', 'telefone', 'telefones', 'fone']

/** The target of a column of addresses or numbers, by the words of its folded name. */
export function contactTarget(name: string): string | undefined {
  const has = (words: readonly string[]) => words.some((word) => ` ${name} `.includes(` ${word} `))
  const type = has(HOME) ? 'home' : has(OTHER) ? 'other' : 'work'
  if (has(EMAIL)) return `email:${type}`
  if (has(MOBILE)) return 'phone:mobile'
  return has(PHONE) ? `phone:${type}` : undefined
}
