import type { Deal, Person } from '@sales-crm/client'
import { Link } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { DealStageBar } from '../deals/deal-stage-bar.tsx'
import { useShell } from '../shell/shell-context.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, buttonStyles } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import text from '../ui/text.module.css'
import { type Kind, recordName } from './kinds.ts'
import styles from './record-page.module.css'
import { TagRow } from './tag-row.tsx'
import type { AnyRecord } from './use-record.ts'

interface RecordHeadProps {
  readonly kind: Kind
  readonly record: AnyRecord
}

/** Who or what the record is, with its tags; for a deal, its place in the pipeline. */
export function RecordHead({ kind, record }: RecordHeadProps) {
  const name = recordName(record)
  return (
    <>
      <div class={styles.head}>
        {kind !== 'deals' && <Avatar big of={{ id: record.id, name }} label="" />}
        <div class={styles.headText}>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <p class={classNames(text.soft, text.cut)}>
            <Summary kind={kind} record={record} />
          </p>
        </div>
        <div class={styles.headEnd}>
          <TagRow kind={kind} record={record} />
        </div>
      </div>
      {kind === 'deals' && <DealStageBar deal={record as Deal} />}
      {kind !== 'deals' && <QuickContact kind={kind} record={record as Person} />}
    </>
  )
}

function Summary({ kind, record }: RecordHeadProps) {
  const { texts, formatAmount } = useConsole()
  const code = <span class={text.deskOnly}>{record.entity_id}</span>
  if (kind === 'deals') {
    const deal = record as Deal
    const contact = deal.company ?? deal.person
    const amount = deal.amount > 0 ? formatAmount(deal) : texts.deals.noAmount
    return (
      <>
        <data>{amount}</data>
        {contact && (
          <>
            {' · '}
            <Link href={`/${deal.company ? 'companies' : 'people'}/${contact.id}`}>{contact.full_name}</Link>
          </>
        )}
        {' · '}
        {code}
      </>
    )
  }
  const { position, company } = record as Person
  return (
    <>
      {position && `${position}, `}
      {company && (
        <>
          <Link href={`/companies/${company.id}`}>{company.full_name}</Link>
          {' · '}
        </>
      )}
      {code}
    </>
  )
}

/** Call and write, on phones. */
function QuickContact({ kind, record }: { readonly kind: Kind; readonly record: Person }) {
  const { texts } = useConsole()
  const { openCreate } = useShell()
  const phone = record.phones[0]?.phone
  const email = record.emails[0]?.email
  return (
    <div class={classNames(styles.quick, text.phoneOnly)}>
      {phone && (
        <a class={buttonStyles.button} href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
          <Icon name="phone" />
          {texts.record.call}
        </a>
      )}
      {email && (
        <a class={buttonStyles.button} href={`mailto:${email}`}>
          <Icon name="mail" />
          {texts.record.sendEmail}
        </a>
      )}
      <Button
        icon="tasks"
        onClick={() => openCreate('tasks', kind === 'people' ? { person: record } : { company: record })}
      >
        {texts.labels.task}
      </Button>
    </div>
  )
}
