import type { Email, Owner, Phone } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import stage from '../reference/stage-label.module.css'
import { Avatar } from '../ui/avatar.tsx'
import type { Column } from './column.ts'

interface ContactRow {
  readonly full_name: string
  readonly emails: readonly Email[]
  readonly phones: readonly Phone[]
  readonly owner: Owner | null
  readonly created_at: string
  readonly updated_at: string
}

/** The columns that people and companies share: name, e-mail, phone, owner, and two dates. */
export function useContactColumns<Row extends ContactRow>(): readonly [
  Column<Row>,
  Column<Row>,
  Column<Row>,
  Column<Row>,
  Column<Row>,
  Column<Row>,
] {
  const { texts, dates } = useConsole()
  const { labels } = texts
  const dateColumn = (key: 'created_at' | 'updated_at', label: string): Column<Row> => ({
    key,
    label,
    orderBy: key,
    firstOrder: 'desc',
    isDefault: false,
    render: (row) => dates.dayWithYear(new Date(row[key])),
  })
  return [
    {
      key: 'full_name',
      label: labels.name,
      orderBy: 'full_name',
      isDefault: true,
      render: ({ full_name }) => full_name,
    },
    { key: 'email', label: labels.email, isDefault: true, render: ({ emails }) => emails[0]?.email ?? '—' },
    { key: 'phone', label: labels.phone, isDefault: true, render: ({ phones }) => phones[0]?.phone ?? '—' },
    {
      key: 'owner',
      label: labels.owner,
      isDefault: true,
      render: ({ owner }) => <OwnerCell owner={owner} />,
    },
    dateColumn('created_at', labels.created),
    dateColumn('updated_at', labels.updated),
  ]
}

export function OwnerCell({ owner }: { readonly owner: Owner | null }) {
  if (!owner) return '—'
  return (
    <span class={stage.stage}>
      <Avatar of={owner} />
      {owner.name}
    </span>
  )
}
