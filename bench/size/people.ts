import { people as definition } from '@sales-crm/core'
import type { Records } from '@sales-crm/core/ports'
import { newId } from '@sales-crm/node'
import { createdAt, middleName, picked, type SampleReferences, some, stamps } from './sample-references.ts'

type Person = Records['people']

const FIRST = words(
  'Ana João José Maria Márcia Paulo Lucas Júlia Pedro Luís Carla Sofia Emma Olivia Noah Liam',
)
const LAST = words(
  'Souza Lima Silva Santos Pereira Costa Araújo Gonçalves Smith Jones Müller Novák Rossi Dubois Garcia Kowalski',
)
const SEGMENTS = words('startup smb enterprise public')

/** The same person for the same index, but for ids. */
export function personAt(index: number, place: SampleReferences): Person {
  const [first, last] = [FIRST[index % FIRST.length]!, LAST[Math.floor(index / FIRST.length) % LAST.length]!]
  const middle = middleName(index)
  const { common, rare, fields } = place
  const person: Person = {
    id: newId(),
    entity_id: `P-${index.toString(32).toUpperCase().padStart(7, '0')}`,
    full_name: `${first} ${middle} ${last}`,
    emails: [{ email: plain(`${first}.${index}@${middle}.example`), type: 'work' }],
    phones: [{ phone: `+55 11 9${String(index).padStart(8, '0')}`, type: 'mobile' }],
    position: null,
    score: index % 101,
    avatar_url: null,
    company_id: some('rare', index) ? rare.company : picked(place.companies, index),
    owner_user_id: (some('rare', index) ? rare : common).owner,
    tag_ids: [...(some('common', index) ? [common.tag] : []), ...(some('rare', index) ? [rare.tag] : [])],
    list_ids: some('common', index + 1) ? [common.list] : [],
    custom_values: {
      [fields.reference]: `PO-${String(index).padStart(7, '0')}`,
      [fields.segment]: [SEGMENTS[index % SEGMENTS.length]!],
      [fields.birthday]: createdAt(index).slice(0, 10),
      [fields.revenue]: index * 1000,
      [fields.profile]: `https://profiles.example/${index}`,
    },
    search_terms: '',
    ...stamps(index),
  }
  return { ...person, search_terms: definition.searchTerms!(person) }
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function words(text: string): string[] {
  return text.split(' ')
}
