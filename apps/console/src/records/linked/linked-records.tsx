import { useConsole } from '../../app/console-context.ts'
import type { CreateDefaults } from '../../create/create-defaults.ts'
import { OffersPanel } from '../../offers/offers-panel.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import type { Kind } from '../kinds.ts'
import { ListRow } from '../list-row.tsx'
import page from '../record-page.module.css'
import { TagRow } from '../tag-row.tsx'
import type { AnyRecord } from '../use-record.ts'
import { LinkedDeals } from './linked-deals.tsx'
import { LinkedPeople } from './linked-people.tsx'
import { LinkedTasks } from './linked-tasks.tsx'

interface LinkedRecordsProps {
  readonly kind: Kind
  readonly record: AnyRecord
  readonly defaults: CreateDefaults
}

/** The deals, people, open tasks and lists of a record. */
export function LinkedRecords({ kind, record, defaults }: LinkedRecordsProps) {
  const { texts } = useConsole()
  return (
    <aside class={page.more} aria-label={texts.record.linked}>
      <LinkedTasks kind={kind} id={record.id} defaults={defaults} />
      {kind === 'deals' && <OffersPanel key={record.id} dealId={record.id} />}
      {kind !== 'deals' && <LinkedDeals kind={kind} id={record.id} defaults={defaults} />}
      {kind === 'companies' && <LinkedPeople companyId={record.id} defaults={defaults} />}
      <section class={classNames(page.block, text.phoneOnly)}>
        <div class={page.blockHead}>
          <h2>{texts.labels.tags}</h2>
        </div>
        <TagRow kind={kind} record={record} />
      </section>
      <ListRow kind={kind} record={record} />
    </aside>
  )
}
