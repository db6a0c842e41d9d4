import type { ImportKind } from '../can-import.ts'
import { COMPANY_NAME } from './target.ts'

/** Usual names of columns in English and Portuguese, folded: the exact ones before those that may mean more. */
export type RankedNames = readonly (readonly string[])[]

const COMPANY_NAMES: RankedNames = [
  ['company name', 'organization name', 'nome da empresa', 'nome empresa', 'razao social', 'nome fantasia'],
  ['company', 'organization', 'organisation', 'empresa', 'organizacao'],
  ['account name', 'associated company', 'primary associated company'],
]
const ACCOUNT: RankedNames = [['account']]

/** By the id of the target, as all that follow. */
const COMMON_NAMES: Readonly<Record<string, RankedNames>> = {
  position: [
    ['position', 'job title', 'organization title', 'cargo'],
    ['role', 'job', 'funcao'],
    // Of a person it may also be `Dr.`
    ['title'],
  ],
  website: [
    ['website', 'web site', 'website url', 'website value', 'site', 'homepage', 'web page'],
    ['web', 'url', 'pagina'],
    ['domain', 'domain name', 'company domain name', 'dominio'],
  ],
  owner: [
    ['owner email', 'contact owner email', 'company owner email'],
    ['record owner', 'contact owner', 'company owner', 'proprietario do contato', 'proprietario da empresa'],
    ['owner', 'account owner', 'sales rep', 'salesperson', 'responsavel', 'vendedor', 'proprietario', 'dono'],
  ],
  tags: [
    ['tags', 'tag', 'etiquetas', 'etiqueta', 'marcadores'],
    ['labels', 'label'],
  ],
  note: [
    [
      ...[
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
      ],
      ...['anotacao', 'anotacoes', 'comentario', 'comentarios'],
    ],
  ],
}

const EXACT_FULL_NAMES = ['full name', 'nome completo']

const PERSON_NAMES: Readonly<Record<string, RankedNames>> = {
  fullName: [
    EXACT_FULL_NAMES,
    ['contact name', 'person name', 'nome do contato', 'nome da pessoa'],
    ['name', 'nome'],
    ['contact', 'person', 'contato', 'pessoa'],
  ],
  firstName: [['first name', 'given name', 'forename', 'primeiro nome'], ['first']],
  middleName: [['middle name', 'middle names', 'additional name', 'nome do meio', 'segundo nome']],
  lastName: [['last name', 'family name', 'surname', 'sobrenome', 'ultimo nome'], ['last']],
  company: [...COMPANY_NAMES, ...ACCOUNT],
}

/** By the part of the address. */
const ADDRESS_NAMES: Readonly<Record<string, RankedNames>> = {
  street: [
    ['street', 'street address', 'address street', 'address line', 'rua', 'logradouro'],
    ['address', 'endereco'],
  ],
  number: [['street number', 'house number', 'numero', 'numero do endereco']],
  complement: [['complement', 'complemento', 'address 2', 'address line 2']],
  district: [['district', 'neighborhood', 'neighbourhood', 'bairro']],
  city: [['city', 'town', 'address city', 'cidade', 'municipio']],
  state: [
    ['state', 'province', 'state region', 'address region', 'address state', 'estado', 'uf'],
    ['region'],
  ],
  postal_code: [
    ['postal code', 'zip', 'zip code', 'postcode', 'address postal code', 'cep', 'codigo postal'],
  ],
  country: [['country', 'country region', 'address country', 'pais']],
}

/** A usual name that a column has, and how exact it is: 0 is the most exact. */
export interface UsualName {
  /** The id of a target, or the part of an address. */
  readonly of: string
  readonly rank: number
}

/** Finds what columns of this folded name usually are. */
export function findUsualNames(name: string, kind: ImportKind): readonly UsualName[] {
  const names =
    kind === 'people'
      ? { ...PERSON_NAMES, ...COMMON_NAMES }
      : { [COMPANY_NAME]: [...COMPANY_NAMES, ['name', 'full name', 'nome'], ...ACCOUNT], ...COMMON_NAMES }
  return findRanks(name, names)
}

export function findAddressParts(name: string): readonly UsualName[] {
  return findRanks(name, ADDRESS_NAMES)
}

/** True for a name that means the full name whatever stands beside it. */
export function isExactFullName(name: string): boolean {
  return EXACT_FULL_NAMES.some((exact) => isSameName(exact, name))
}

/** True for names that differ in their spaces only. */
export function isSameName(one: string, other: string): boolean {
  return one.replaceAll(' ', '') === other.replaceAll(' ', '')
}

function findRanks(name: string, names: Readonly<Record<string, RankedNames>>): readonly UsualName[] {
  // The first of several is what a single one would be.
  const unnumbered = name.replace(/ 1(?= |$)/, '')
  return Object.entries(names).flatMap(([of, ranks]) => {
    const rank = ranks.findIndex((usual) =>
      usual.some((each) => isSameName(each, name) || isSameName(each, unnumbered)),
    )
    return rank < 0 ? [] : [{ of, rank }]
  })
}
