import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { collapseSpaces, readSearch } from '../format/typed-text.ts'
import { type Choice, Combobox } from '../ui/combobox.tsx'
import type { FieldIds } from '../ui/field.tsx'
import { KIND_ICONS, type Kind, recordName } from './kinds.ts'

/** The person and the company of a record: null is known to be none, undefined is not known. */
export interface LinkedContacts {
  readonly person?: LinkedContact | null | undefined
  readonly company?: LinkedContact | null | undefined
}

interface LinkedContact {
  readonly id: string
  readonly full_name: string
}

export interface PickedRecord {
  readonly kind: Kind
  /** Undefined for a record that is to be created with this name. */
  readonly id: string | undefined
  readonly name: string
  readonly links?: LinkedContacts
}

interface RecordPickerProps {
  readonly ids: Partial<FieldIds> & { readonly 'aria-label'?: string }
  readonly kinds: readonly Kind[]
  readonly picked: PickedRecord | null
  readonly pick: (record: PickedRecord | null) => void
  /** The kinds that what is typed can become. */
  readonly creates?: readonly Kind[]
  readonly small?: boolean
  readonly autoFocus?: boolean
}

const NEW = 'new'
const LIMIT = 6

/** Finds a record by its name, or names a new one. */
export function RecordPicker({
  ids,
  kinds,
  picked,
  pick,
  creates = [],
  small,
  autoFocus,
}: RecordPickerProps) {
  const { crm, texts } = useConsole()
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const sought = readSearch(typed)
  const isSearch = sought !== undefined && text !== picked?.name
  const results = useQuery({
    queryKey: ['search', kinds, sought],
    queryFn: ({ signal }) =>
      crm.search({ search: sought ?? '', kinds: kinds.join(','), limit: LIMIT }, { signal }),
    enabled: isSearch,
    placeholderData: keepPreviousData,
  })
  const records = kinds.flatMap((kind) =>
    (results.data?.[kind]?.records ?? []).map((record) => ({ kind, record })),
  )
  const found = records.map(
    ({ kind, record }): Choice => ({
      value: `${kind} ${record.id}`,
      label: recordName(record),
      icon: KIND_ICONS[kind],
      after: afterOf(record),
    }),
  )
  const isNew = text !== '' && text !== picked?.name
  const created = isNew
    ? creates.map(
        (kind): Choice => ({
          value: `${kind} ${NEW}`,
          label: texts.create.named(texts.create[kind], text),
          icon: 'plus',
        }),
      )
    : []
  return (
    <Combobox
      ids={ids}
      choices={[...(sought === undefined ? [] : found), ...created]}
      chosen={picked && { value: `${picked.kind} ${picked.id ?? NEW}`, label: picked.name }}
      choose={(choice) => {
        const picked = choice && toPicked(choice, text)
        pick(
          picked && { ...picked, ...linksOf(records.find(({ record }) => record.id === picked.id)?.record) },
        )
      }}
      search={setTyped}
      isSeeking={isSearch && (results.isPlaceholderData || results.isLoading)}
      noneText={sought === undefined ? texts.palette.hint : texts.palette.nothing}
      clearLabel={texts.actions.clear}
      {...(small && { small })}
      {...(autoFocus && { autoFocus })}
    />
  )
}

function toPicked({ value, label }: Choice, typed: string): PickedRecord {
  const [kind, id] = value.split(' ') as [Kind, string]
  return id === NEW ? { kind, id: undefined, name: collapseSpaces(typed) } : { kind, id, name: label }
}

/** A list has the contacts of deals. */
function linksOf(record: object | undefined): Pick<PickedRecord, 'links'> {
  if (!record || !('person' in record && 'company' in record)) return {}
  const { person, company } = record as LinkedContacts
  return { links: { person, company } }
}

function afterOf(record: object): string | undefined {
  if ('emails' in record && Array.isArray(record.emails)) return record.emails[0]?.email
  if ('company' in record) return (record.company as { readonly full_name: string } | null)?.full_name
  return undefined
}
