import type { DealListItem } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import type { CreateDefaults } from '../../create/create-defaults.ts'
import { DealAmount } from '../../deals/deal-amount.tsx'
import { StageAgeMark } from '../../deals/stage-age-mark.tsx'
import { StageLabel } from '../../reference/stage-label.tsx'
import { useShell } from '../../shell/shell-context.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import page from '../record-page.module.css'
import styles from './linked.module.css'

interface LinkedDealsProps {
  readonly kind: 'people' | 'companies'
  readonly id: string
  readonly defaults: CreateDefaults
}

const SHOWN = 10

export function LinkedDeals({ kind, id, defaults }: LinkedDealsProps) {
  const { crm, texts } = useConsole()
  const { openCreate } = useShell()
  const filter = kind === 'people' ? { person_id: id } : { company_id: id }
  const deals = useQuery({
    queryKey: ['deals', 'of', filter],
    queryFn: async ({ signal }) =>
      await crm.deals.list({ ...filter, per_page: SHOWN, include: 'stage_entered_at' }, { signal }),
  })
  return (
    <section class={page.block}>
      <div class={page.blockHead}>
        <h2>
          {texts.labels.deals} <span class={text.count}>{deals.data?.meta.total || ''}</span>
        </h2>
        <IconButton
          small
          icon="plus"
          class={text.push}
          label={texts.create.deals}
          onClick={() => openCreate('deals', defaults)}
        />
      </div>
      {deals.data?.data.map((deal) => (
        <LinkedDeal key={deal.id} deal={deal} />
      ))}
    </section>
  )
}

function LinkedDeal({ deal }: { readonly deal: DealListItem }) {
  const { texts } = useConsole()
  return (
    <article class={styles.mini}>
      <p>
        <Link class={classNames(text.plain, text.cut)} href={`/deals/${deal.id}`}>
          <strong>{deal.name}</strong>
        </Link>
      </p>
      <p>
        <b>
          <DealAmount deal={deal} />
        </b>
        <span class={text.push}>
          <Avatar of={deal.owner ?? undefined} label={deal.owner?.name ?? texts.deals.noOwner} />
        </span>
      </p>
      {deal.stage && (
        <p class={text.soft}>
          <StageLabel stage={deal.stage} pipelineId={deal.pipeline?.id} />
          {deal.stage.type === 'open' && (
            <StageAgeMark deal={deal} class={text.push} describe={texts.deals.days} />
          )}
        </p>
      )}
    </article>
  )
}
