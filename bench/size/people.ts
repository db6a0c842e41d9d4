import { people as definition } from '@sales-crm/core'
import type { Records } from '@sales-crm/core/ports'
import { newId } from '@sales-crm/node'
import {
  createdAt,
  hasShare,
  middleName,
  pickAt,
  type SampleReferences,
  timestampsAt,
} from './sample-references.ts'

type Person = Records['people']

const FIRST = splitWords(
  'Ana João José Maria Márcia Paulo Lucas Júlia Pedro Luís Carla Sofia Emma Olivia Noah Liam',
)
const LAST = splitWords(
  'Souza Lima Silva Santos Pereira Costa Araújo Gonçalves Smith Jones Müller Novák Rossi Dubois Garcia Kowalski',
)
const SEGMENTS = splitWords('startup smb enterprise public')

/** Creates the same person for the same index, except for ids. */
export function createPerson(index: number, references: SampleReferences): Person {
  const [first, last] = [FIRST[index % FIRST.length]!, LAST[Math.floor(index / FIRST.length) % LAST.length]!]
  const middle = middleName(index)
  const { common, rare, fields } = references
  const person: Person = {
    id: newId(),
    entity_id: `P-${index.toString(32).toUpperCase().padStart(7, '0')}`,
    full_name: `${first} ${middle} ${last}`,
    emails: [{ email: toAscii(`${first}.${index}@${middle}.example`), type: 'work' }],
    phones: [{ phone: `+55 11 9${String(index).padStart(8, '0')}`, type: 'mobile' }],
    position: null,
    score: index % 101,
    avatar_url: null,
    company_id: hasShare('rare', index) ? rare.company : pickAt(references.companies, index),
    owner_user_id: (hasShare('rare', index) ? rare : common).owner,
    tag_ids: [
      ...(hasShare('common', index) ? [common.tag] : []),
      ...(hasShare('rare', index) ? [rare.tag] : []),
    ],
    list_ids: hasShare('common', index + 1) ? [common.list] : [],
    custom_values: {
      [fields.reference]: `PO-${String(index).padStart(7, '0')}`,
      [fields.segment]: [SEGMENTS[index % SEGMENTS.length]!],
      [fields.birthday]: createdAt(index).slice(0, 10),
      [fields.revenue]: index * 1000,
      [fields.profile]: `https://profiles.example/${index}`,
    },
    search_terms: '',
    ...timestampsAt(index),
  }
  return { ...person, search_terms: definition.searchTerms!(person) }
}

function toAscii(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function splitWords(text: string): string[] {
  return text.split(' ')
}
