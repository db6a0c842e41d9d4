import type { DealListItem } from '@sales-crm/client'
import { memo } from 'preact/compat'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { daysSince } from '../../format/dates.ts'
import { NextTaskDue } from '../../tasks/due.tsx'
import { useNow } from '../../tasks/use-now.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import text from '../../ui/text.module.css'
import type { CardActions } from '../card-actions.ts'
import { DealAmount } from '../deal-amount.tsx'
import { useDealMenu } from '../use-deal-menu.ts'
import styles from './board.module.css'

interface DealCardProps {
  readonly deal: DealListItem
  readonly isTabStop: boolean
  readonly actions: CardActions
}

/** Is drawn again only if its content has changed: a search finds the same deals as new objects. */
export const DealCard = memo(function DealCard({ deal, isTabStop, actions }: DealCardProps) {
  const { texts } = useConsole()
  const tabIndex = isTabStop ? 0 : -1
  const who = deal.company?.full_name ?? deal.person?.full_name
  return (
    <li class={styles.card} data-deal={deal.id}>
      <h3 class={styles.cardName}>
        <Link href={`/deals/${deal.id}`} tabIndex={tabIndex} data-focus={deal.id} draggable={false}>
          {deal.name}
        </Link>
      </h3>
      <CardMenu deal={deal} actions={actions} tabIndex={tabIndex} />
      {who && <p class={classNames(styles.cardWho, text.cut)}>{who}</p>}
      <p class={styles.cardSum}>
        <DealAmount deal={deal} />
        <Avatar of={deal.owner ?? undefined} label={deal.owner?.name ?? texts.deals.noOwner} />
      </p>
      <p class={styles.cardFoot}>
        <NextTaskDue task={deal.next_task} />
        <Age deal={deal} />
      </p>
    </li>
  )
}, hasSameContent)

function hasSameContent(before: DealCardProps, after: DealCardProps): boolean {
  return (
    before.isTabStop === after.isTabStop &&
    before.actions === after.actions &&
    (before.deal === after.deal || JSON.stringify(before.deal) === JSON.stringify(after.deal))
  )
}

function Age({ deal }: Pick<DealCardProps, 'deal'>) {
  const { texts } = useConsole()
  const now = useNow()
  if (!deal.stage_entered_at) return null
  const days = daysSince(new Date(deal.stage_entered_at), now)
  return (
    <span class={classNames(text.tiny, text.soft, styles.age)} title={texts.deals.inStageFor(days)}>
      {texts.deals.days(days)}
    </span>
  )
}

function CardMenu({
  deal,
  actions,
  tabIndex,
}: Omit<DealCardProps, 'isTabStop'> & { readonly tabIndex: number }) {
  const { texts } = useConsole()
  const groups = useDealMenu(deal, actions)
  return (
    <LazyMenu
      align="end"
      label={deal.name}
      trigger={
        <IconButton
          small
          icon="dots"
          class={styles.cardMenu}
          label={texts.actions.actionsFor(deal.name)}
          tabIndex={tabIndex}
        />
      }
      groups={groups}
    />
  )
}
