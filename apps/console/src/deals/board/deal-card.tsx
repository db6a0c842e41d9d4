import type { DealListItem } from '@sales-crm/client'
import { memo } from 'preact/compat'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { canChange } from '../../app/permissions.ts'
import { NextTaskDue } from '../../tasks/due.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import type { MenuGroup } from '../../ui/menu.tsx'
import text from '../../ui/text.module.css'
import { DealAmount } from '../deal-amount.tsx'
import { StageAgeMark } from '../stage-age-mark.tsx'
import styles from './board.module.css'

export type DealMenu = (deal: DealListItem) => readonly MenuGroup[]

interface DealCardProps {
  readonly deal: DealListItem
  readonly isTabStop: boolean
  readonly isSelected: boolean
  readonly menuOf: DealMenu
}

/** Is drawn again only if its content has changed: a search finds the same deals as new objects. */
export const DealCard = memo(function DealCard({ deal, isTabStop, isSelected, menuOf }: DealCardProps) {
  const { me, texts } = useConsole()
  const tabIndex = isTabStop ? 0 : -1
  const who = deal.company?.full_name ?? deal.person?.full_name
  return (
    <li
      class={classNames(styles.card, isSelected && styles.isSelected)}
      data-deal={deal.id}
      data-fixed={canChange(me, 'deals', deal) ? undefined : true}
    >
      <h3 class={styles.cardName}>
        <Link href={`/deals/${deal.id}`} tabIndex={tabIndex} data-focus={deal.id} draggable={false}>
          {deal.name}
          {isSelected && <span class={text.hidden}> {texts.tables.isSelected}</span>}
        </Link>
      </h3>
      <CardMenu deal={deal} menuOf={menuOf} tabIndex={tabIndex} />
      {who && <p class={classNames(styles.cardWho, text.cut)}>{who}</p>}
      <p class={styles.cardSum}>
        <DealAmount deal={deal} />
        <Avatar of={deal.owner ?? undefined} label={deal.owner?.name ?? texts.deals.noOwner} />
      </p>
      <p class={styles.cardFoot}>
        <NextTaskDue task={deal.next_task} />
        <StageAgeMark deal={deal} class={styles.age} describe={texts.deals.days} />
      </p>
    </li>
  )
}, hasSameContent)

function hasSameContent(before: DealCardProps, after: DealCardProps): boolean {
  return (
    before.isTabStop === after.isTabStop &&
    before.isSelected === after.isSelected &&
    before.menuOf === after.menuOf &&
    (before.deal === after.deal || JSON.stringify(before.deal) === JSON.stringify(after.deal))
  )
}

interface CardMenuProps extends Pick<DealCardProps, 'deal' | 'menuOf'> {
  readonly tabIndex: number
}

function CardMenu({ deal, menuOf, tabIndex }: CardMenuProps) {
  const { texts } = useConsole()
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
      groups={() => menuOf(deal)}
    />
  )
}
