import { useMemo } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import type { ImportKind } from '../can-import.ts'
import { identityKeys } from './identity.ts'
import { readPace } from './paces.ts'
import { RecordIndex } from './record-index.ts'

export interface Indexes {
  /** Of the kind that is imported. */
  readonly records: RecordIndex
  readonly companies: RecordIndex
}

export function useIndexes(kind: ImportKind): Indexes {
  const { crm } = useConsole()
  return useMemo(() => {
    const companies = new RecordIndex(
      { list: (query) => crm.companies.list(query), keysOf: (company) => identityKeys('companies', company) },
      readPace,
    )
    if (kind === 'companies') return { companies, records: companies }
    const people = new RecordIndex(
      { list: (query) => crm.people.list(query), keysOf: (person) => identityKeys('people', person) },
      readPace,
    )
    return { companies, records: people }
  }, [crm, kind])
}
