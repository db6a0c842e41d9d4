import type { Currency, MemberListItem, Target } from '@sales-crm/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useCreateForm } from '../../create/use-create-form.ts'
import { addMonths, type Month } from '../../format/calendar.ts'
import { editableMoney, exampleAmount, parseMoney } from '../../format/typed-money.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { FieldError, Input } from '../../ui/field.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Notice } from '../../ui/notice.tsx'
import { MonthFormat } from '../month-format.ts'
import { useReportTexts } from '../texts.ts'
import { planTargets, type TargetChange, type TypedTargets } from './plan-targets.ts'
import styles from './targets.module.css'
import { targetsQuery } from './targets-query.ts'

interface TargetsFormProps {
  readonly month: Month
  readonly currency: Currency
  readonly members: readonly Pick<MemberListItem, 'id' | 'name'>[]
  readonly saved: readonly Target[]
  /** Called with whether what is typed differs from what is saved. */
  readonly onChange: (isChanged: boolean) => void
  readonly close: () => void
}

/** A field for each member. What differs is sent at once. */
export function TargetsForm({ month, currency, members, saved, onChange, close }: TargetsFormProps) {
  const { crm, texts, workspace } = useConsole()
  const { targets } = useReportTexts()
  const client = useQueryClient()
  const form = useCreateForm()
  const frame = useRef<HTMLFormElement>(null)
  const { locale } = workspace
  const amountsOf = (of: readonly Target[]): TypedTargets =>
    Object.fromEntries(
      members.map(({ id }) => {
        const amount = of.find(({ owner }) => owner?.id === id)?.amount ?? 0
        return [id, editableMoney({ amount, currency }, locale)]
      }),
    )
  const [typed, setTyped] = useState(() => amountsOf(saved))
  const { changes, wrong } = planTargets(typed, saved, (text) => parseMoney(text, currency, locale))
  const isChanged = changes.length + wrong.length > 0
  useEffect(() => onChange(isChanged), [isChanged, onChange])

  const last = addMonths(month, -1)
  const lastName = new MonthFormat(texts.language).withYear(last)
  async function copyLast(): Promise<void> {
    const before = await client.fetchQuery(targetsQuery(crm, last, currency))
    if (before.length === 0) announce(targets.noLastMonth(lastName))
    else setTyped(amountsOf(before))
  }
  async function send(change: TargetChange): Promise<void> {
    if ('ownerId' in change) {
      const { ownerId: owner_id, amount } = change
      await crm.targets.create({ month, currency, owner_id, amount })
    } else if (change.amount === undefined) await crm.targets.delete(change.id)
    else await crm.targets.update(change.id, { amount: change.amount })
  }
  async function save(): Promise<void> {
    try {
      for (const change of changes) await send(change)
    } catch (error) {
      // Those before it are saved.
      await client.invalidateQueries({ queryKey: ['targets'] })
      throw error
    }
    announce(targets.saved)
    close()
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    const stops = [...(frame.current?.querySelectorAll<HTMLElement>('input, button[type=submit]') ?? [])]
    stops[stops.indexOf(event.target) + 1]?.focus()
  }
  const sorted = members.toSorted((a, b) => a.name.localeCompare(b.name, texts.language))
  const rule = texts.errors.notAnAmount(currency, exampleAmount(currency, locale))
  return (
    <form
      ref={frame}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        form.submit(save, Object.fromEntries(wrong.map((id) => [id, rule])))
      }}
    >
      {form.error && <Notice kind="error">{form.error}</Notice>}
      <div class={styles.members}>
        {sorted.map(({ id, name }) => {
          const error = wrong.includes(id) ? form.errors[id] : undefined
          return (
            <div key={id} class={styles.member}>
              <span title={name}>
                <bdi>{name}</bdi>
              </span>
              <Input
                aria-label={targets.member(name)}
                {...(error && { 'aria-invalid': true as const, 'aria-describedby': `target-${id}` })}
                inputMode="decimal"
                value={typed[id] ?? ''}
                change={(text) => setTyped({ ...typed, [id]: text })}
              />
              {error && <FieldError id={`target-${id}`}>{error}</FieldError>}
            </div>
          )
        })}
      </div>
      <DialogActions>
        <Button look="quiet" icon="copy" class={styles.copy} onClick={() => void copyLast()}>
          {targets.asLastMonth(lastName)}
        </Button>
        <Button onClick={close}>{texts.actions.cancel}</Button>
        <Button look="main" type="submit" aria-busy={form.isBusy}>
          {texts.actions.save}
        </Button>
      </DialogActions>
    </form>
  )
}
