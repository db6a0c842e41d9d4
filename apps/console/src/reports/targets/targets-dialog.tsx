import type { Currency } from '@sales-crm/client'
import { CURRENCIES } from '@sales-crm/core/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { addMonths, listMonths } from '../../format/calendar.ts'
import { useMenu } from '../../reference/queries.ts'
import { LoadError } from '../../shell/load-boundary.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { MonthFormat } from '../month-format.ts'
import { useReportTexts } from '../texts.ts'
import styles from './targets.module.css'
import { TargetsForm } from './targets-form.tsx'
import { targetsQuery } from './targets-query.ts'

const MONTHS = 12

interface TargetsDialogProps {
  readonly currency: Currency
  readonly close: () => void
}

/** The targets of all members in a month and a currency. */
export function TargetsDialog({ currency: first, close }: TargetsDialogProps) {
  const { crm, texts, calendar } = useConsole()
  const { targets } = useReportTexts()
  const present = calendar.monthOf(useNow())
  const [month, setMonth] = useState(present)
  const [currency, setCurrency] = useState(first)
  const [isChanged, setIsChanged] = useState(false)
  const format = new MonthFormat(texts.language)
  const members = useMenu('members')
  const saved = useQuery(targetsQuery(crm, month, currency))
  const failed = [members, saved].find(({ error }) => error)
  return (
    <Dialog title={targets.dialog} close={close}>
      <div class={styles.choices}>
        <Field label={targets.dialogMonth}>
          {(ids) => (
            <Select {...ids} value={month} change={setMonth} disabled={isChanged}>
              {listMonths(addMonths(present, -MONTHS), addMonths(present, MONTHS)).map((each) => (
                <option key={each} value={each}>
                  {format.withYear(each)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={texts.labels.currency}>
          {(ids) => (
            <Select
              {...ids}
              value={currency}
              change={(value) => setCurrency(value as Currency)}
              disabled={isChanged}
            >
              {CURRENCIES.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <p class={styles.hint}>{isChanged ? targets.unsaved : targets.hint}</p>
      {failed && <LoadError error={failed.error} retry={failed.refetch} />}
      {members.data && saved.data && (
        <TargetsForm
          key={`${month} ${currency}`}
          month={month}
          currency={currency}
          members={members.data}
          saved={saved.data}
          onChange={setIsChanged}
          close={close}
        />
      )}
    </Dialog>
  )
}
