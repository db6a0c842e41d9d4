import type { Email, Owner, Phone } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import {
  emailLinks,
  formatList,
  parseEmails,
  parsePhones,
  phoneLinks,
} from '../records/facts/contact-texts.ts'
import stage from '../reference/stage-label.module.css'
import { Avatar } from '../ui/avatar.tsx'
import type { Column } from './column.ts'
import { EditableCell } from './editable-cell.tsx'

interface ContactRow {
  readonly id: string
  readonly full_name: string
  readonly emails: readonly Email[]
  readonly phones: readonly Phone[]
  readonly owner: Owner | null
  readonly created_at: string
  readonly updated_at: string
}

/** The columns that people and companies share: name, e-mail, phone, owner, and two dates. */
export function useContactColumns<Row extends ContactRow>(
  kind: 'people' | 'companies',
): readonly [Column<Row>, Column<Row>, Column<Row>, Column<Row>, Column<Row>, Column<Row>] {
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
    {
      key: 'email',
      label: labels.email,
      isDefault: true,
      render: ({ id, emails }) => {
        const text = formatList(emails.map(({ email }) => email))
        const edit = (typed: string) => {
          const next = parseEmails(typed, emails)
          return { changes: { emails: next }, shown: { emails: next } }
        }
        const links = emailLinks(emails)
        return <EditableCell {...{ kind, id, text, edit, links }} label={labels.email} display={undefined} />
      },
    },
    {
      key: 'phone',
      label: labels.phone,
      isDefault: true,
      render: ({ id, phones }) => {
        const text = formatList(phones.map(({ phone }) => phone))
        const edit = (typed: string) => {
          const next = parsePhones(typed, phones)
          return { changes: { phones: next }, shown: { phones: next } }
        }
        const links = phoneLinks(phones)
        return <EditableCell {...{ kind, id, text, edit, links }} label={labels.phone} display={undefined} />
      },
    },
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
