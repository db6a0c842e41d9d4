import type { ADDRESS_PARTS } from '../../../schema/address-parts.ts'
import { compactText } from '../folded-text.ts'

export type AddressPart = (typeof ADDRESS_PARTS)[number]

/** The exact names before those that may mean more. */
const NAMES: Readonly<Record<AddressPart, readonly (readonly string[])[]>> = {
  street: [
    ['street', 'street address', 'address street', 'address line', 'address line 1', 'rua', 'logradouro'],
    ['address', 'endereço', 'full address', 'endereço completo'],
  ],
  number: [['street number', 'house number', 'número', 'número do endereço']],
  complement: [['complement', 'complemento', 'address 2', 'address line 2', 'street 2', 'extended address']],
  district: [['district', 'neighborhood', 'neighbourhood', 'bairro']],
  city: [['city', 'town', 'address city', 'cidade', 'município']],
  state: [
    [
      'state',
      'province',
      'state/region',
      'state/province',
      'address region',
      'address state',
      'estado',
      'uf',
    ],
    ['region', 'região'],
  ],
  postal_code: [
    ['postal code', 'zip', 'zip code', 'zip/postal code', 'postcode', 'address postal code', 'cep'],
    ['código postal', 'address zip', 'postal'],
  ],
  country: [['country', 'country/region', 'address country', 'país']],
}

const COMPACT_NAMES = Object.entries(NAMES).map(
  ([part, ranks]) => [part as AddressPart, ranks.map((names) => new Set(names.map(compactText)))] as const,
)

/** Which of several addresses it is. */
const QUALIFIER = /^(?:mailing|billing|shipping|business|work|home|other|primary|company|postal(?= address)) /

export interface UsualPart {
  readonly part: AddressPart
  /** 0 is the most exact. */
  readonly rank: number
}

/** Finds the parts of an address that columns of this folded name usually are. */
export function findAddressParts(name: string): readonly UsualPart[] {
  const first = name.replace(/ 1(?= |$)/, '')
  const unqualified = first.replace(QUALIFIER, '')
  const names = [compactText(first), compactText(unqualified)]
  return COMPACT_NAMES.flatMap(([part, ranks]) => {
    const rank = ranks.findIndex((each) => names.some((one) => each.has(one)))
    return rank < 0 ? [] : [{ part, rank: rank + (unqualified === first ? 0 : 2) }]
  })
}
