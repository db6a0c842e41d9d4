import type { ImportKind } from '../can-import.ts'
import { foldName } from '../fold-name.ts'
import type { Draft } from '../rows/draft.ts'

interface Named {
  readonly full_name: string
  readonly emails: readonly { readonly email: string }[]
}

/** What a record is found by: people by their e-mail addresses, companies by their names. */
export function identityKeys(kind: ImportKind, record: Named): readonly string[] {
  return kind === 'people'
    ? record.emails.map(({ email }) => email.toLowerCase())
    : [companyKey(record.full_name)]
}

export function draftKeys(kind: ImportKind, draft: Draft): readonly string[] {
  return identityKeys(kind, { full_name: draft.fullName ?? '', emails: draft.emails ?? [] }).filter(
    (key) => key !== '',
  )
}

export function companyKey(name: string): string {
  return foldName(name)
}
