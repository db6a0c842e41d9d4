import type { Company, Deal, Person } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import type { Kind } from './kinds.ts'

/** A record with the associations that lists omit. */
export interface RecordOfKind {
  readonly people: Person
  readonly companies: Company
  readonly deals: Deal
}
export type AnyRecord = RecordOfKind[Kind]

export function useRecord<K extends Kind>(kind: K, id: string) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: [kind, 'record', id],
    queryFn: ({ signal }) => crm[kind].get(id, { signal }) as Promise<RecordOfKind[K]>,
  })
}
