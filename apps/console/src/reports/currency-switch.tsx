import type { Currency } from '@sales-crm/client'
import { useEffect, useRef } from 'preact/hooks'
import { useViewParams } from '../app/use-view-params.ts'
import { classNames } from '../ui/class-names.ts'
import group from '../ui/group.module.css'
import styles from './reports.module.css'
import { useReportTexts } from './texts.ts'

interface CurrencySwitchProps {
  readonly currencies: readonly Currency[]
  readonly currency: Currency
}

/** Chooses one of the currencies that occur. */
export function CurrencySwitch({ currencies, currency }: CurrencySwitchProps) {
  const texts = useReportTexts()
  const { set } = useViewParams()
  const chosen = useRef<HTMLButtonElement>(null)
  // Many currencies scroll.
  useEffect(() => chosen.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [currency])
  if (currencies.length < 2) return null
  return (
    <fieldset class={classNames(group.group, styles.currencies)} aria-label={texts.currency}>
      {currencies.map((each, index) => (
        <button
          key={each}
          ref={each === currency ? chosen : undefined}
          type="button"
          aria-pressed={each === currency}
          onClick={() => set({ currency: index === 0 ? undefined : each })}
        >
          {each}
        </button>
      ))}
    </fieldset>
  )
}
