import type { DealListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { useStageSettings } from '../reference/stage-settings.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import text from '../ui/text.module.css'
import { measureStageAge } from './stage-age.ts'
import styles from './stage-age-mark.module.css'

interface StageAgeMarkProps {
  readonly deal: Pick<DealListItem, 'stage' | 'stage_entered_at'>
  readonly class?: string | undefined
  /** Says the days of a deal that is not stale. */
  readonly describe: (days: number) => string
}

/** How long a deal has been in its stage; marked if that is longer than the stage allows. */
export function StageAgeMark({ deal, class: className, describe }: StageAgeMarkProps) {
  const { texts } = useConsole()
  const now = useNow()
  const { stale_after_days: limit } = useStageSettings(deal.stage?.id)
  if (!deal.stage_entered_at) return null
  const { days, staleAfter } = measureStageAge(deal.stage_entered_at, { type: deal.stage?.type, limit }, now)
  if (staleAfter === undefined)
    return (
      <span class={classNames(text.tiny, text.soft, className)} title={texts.deals.inStageFor(days)}>
        {describe(days)}
      </span>
    )
  return (
    <span
      class={classNames(text.tiny, styles.stale, className)}
      title={texts.deals.staleFor(days, staleAfter)}
    >
      <Icon name="clock" />
      {texts.deals.stale(days, staleAfter)}
    </span>
  )
}
