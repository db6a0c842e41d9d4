import type { Crm } from '@sales-crm/core'
import type { Named } from './people.ts'

export interface Question {
  readonly title: string
  query(named: Named): NonNullable<Parameters<Crm['people']['list']>[1]>
}

const LATE = '2100-01-01T00:00:00Z'

export const QUESTIONS: readonly Question[] = [
  { title: 'no filter', query: () => ({}) },
  { title: 'search: one common word', query: () => ({ search: 'joao' }) },
  { title: 'search: two common words', query: () => ({ search: 'joao silva' }) },
  { title: 'search: three words, by name', query: () => ({ search: 'maria ba lima', order_by: 'full_name', order: 'asc' }) },
  { title: 'search: a few people, by e-mail', query: () => ({ search: 'ana.160@' }) },
  { title: 'search: one person, by phone', query: () => ({ search: '11 900000161' }) },
  { title: 'search: nobody', query: () => ({ search: 'zzyzx' }) },
  { title: 'common tag', query: ({ commonTag }) => ({ tag: commonTag }) },
  { title: 'rare tag', query: ({ rareTag }) => ({ tag: rareTag }) },
  { title: 'common list, by name', query: ({ commonList }) => ({ list_id: commonList, order_by: 'full_name', order: 'asc' }) },
  {
    title: 'common tag, common list and a word',
    query: ({ commonTag, commonList }) => ({ tag: commonTag, list_id: commonList, search: 'ana' }),
  },
  {
    title: 'rare tag, rare owner and a word',
    query: ({ rareTag, rareOwner }) => ({ tag: rareTag, owner_email: rareOwner, search: 'ana' }),
  },
  { title: 'owner of nearly all', query: ({ commonOwner }) => ({ owner_email: commonOwner }) },
  { title: 'owner of few, by name', query: ({ rareOwner }) => ({ owner_email: rareOwner, order_by: 'full_name', order: 'asc' }) },
  { title: 'company of few, by time of change', query: ({ company }) => ({ company_id: company, order_by: 'updated_at' }) },
  { title: 'changed after all of them', query: () => ({ updated_after: LATE }) },
  { title: 'changed after all of them, by name', query: () => ({ updated_after: LATE, order_by: 'full_name' }) },
]
