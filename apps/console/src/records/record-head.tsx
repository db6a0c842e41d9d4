import type { Deal, Person } from '@sales-crm/client'
import { type ComponentChildren, Fragment } from 'preact'
import { Link } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { defaultsFor } from '../create/create-defaults.ts'
import { DealAmount } from '../deals/deal-amount.tsx'
import { DealStageBar } from '../deals/deal-stage-bar.tsx'
import { LossBar } from '../deals/loss-bar.tsx'
import { mailtoHref, telHref } from '../format/links.ts'
import { useShell } from '../shell/shell-context.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, buttonStyles } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import text from '../ui/text.module.css'
import { type Kind, recordName } from './kinds.ts'
import { ReadOnlyReason } from './read-only.tsx'
import styles from './record-page.module.css'
import { TagRow } from './tag-row.tsx'
import type { AnyRecord } from './use-record.ts'
import type { RecordActions } from './use-record-actions.tsx'

interface RecordHeadProps {
  readonly kind: Kind
  readonly record: AnyRecord
  /** Why it cannot be changed. */
  readonly reason: string | undefined
  readonly moveTo: RecordActions['moveTo']
}

/** Who or what the record is, with its tags; for a deal, its place in the pipeline. */
export function RecordHead({ kind, record, reason, moveTo }: RecordHeadProps) {
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
      <ReadOnlyReason reason={reason} />
      {kind === 'deals' && <DealStageBar deal={record as Deal} moveTo={moveTo} />}
      {kind === 'deals' && <LossBar deal={record as Deal} />}
      {kind !== 'deals' && <QuickContact kind={kind} record={record as Person} />}
    </>
  )
}

/** What tells the record from others, in a line. */
function Summary({ kind, record }: Pick<RecordHeadProps, 'kind' | 'record'>) {
  const parts = kind === 'deals' ? dealParts(record as Deal) : contactParts(record as Person)
  return (
    <>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          {part}
        </Fragment>
      ))}
      <span class={text.deskOnly}>
        {parts.length > 0 && ' · '}
        {record.entity_id}
      </span>
    </>
  )
}

function dealParts({ company, person, ...deal }: Deal): readonly ComponentChildren[] {
  return [
    <DealAmount deal={deal} />,
    company && <Link href={`/companies/${company.id}`}>{company.full_name}</Link>,
    person && <Link href={`/people/${person.id}`}>{person.full_name}</Link>,
  ].filter(Boolean)
}

function contactParts({ position, company }: Partial<Person>): readonly ComponentChildren[] {
  return [position, company && <Link href={`/companies/${company.id}`}>{company.full_name}</Link>].filter(
    Boolean,
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
        <a class={buttonStyles.button} href={telHref(phone)}>
          <Icon name="phone" />
          {texts.record.call}
        </a>
      )}
      {email && (
        <a class={buttonStyles.button} href={mailtoHref(email)}>
          <Icon name="mail" />
          {texts.record.sendEmail}
        </a>
      )}
      <Button icon="tasks" onClick={() => openCreate('tasks', defaultsFor(kind, record))}>
        {texts.labels.task}
      </Button>
    </div>
  )
}
