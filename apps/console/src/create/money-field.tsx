import type { Currency } from '@sales-crm/client'
import { CURRENCIES } from '@sales-crm/core/browser'
import type { ComponentChildren } from 'preact'
import { useConsole } from '../app/console-context.ts'
import { formatMoney } from '../format/money.ts'
import { Field, Input, Joined, Select } from '../ui/field.tsx'

interface MoneyFieldProps {
  readonly label: string
  readonly currency: Currency
  readonly amount: string
  readonly change: (changes: { readonly currency?: Currency; readonly amount?: string }) => void
  readonly fault: string | undefined
  readonly hint?: ComponentChildren
}

/** An amount as it is typed, and its currency. */
export function MoneyField({ label, currency, amount, change, fault, hint }: MoneyFieldProps) {
  const { texts, workspace } = useConsole()
  return (
    <Field label={label} fault={fault} hint={hint}>
      {(ids) => (
        <Joined>
          <Select
            aria-label={texts.labels.currency}
            value={currency}
            change={(value) => change({ currency: value as Currency })}
          >
            {CURRENCIES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
          <Input
            {...ids}
            inputMode="decimal"
            placeholder={formatMoney({ amount: 0, currency }, workspace.locale)}
            value={amount}
            change={(value) => change({ amount: value })}
          />
        </Joined>
      )}
    </Field>
  )
}
