import type { Deal } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { editableMoney, exampleAmount, parseMoney } from '../format/typed-money.ts'
import { Fact } from '../records/facts/fact.tsx'
import { InlineRecord } from '../records/facts/inline-record.tsx'
import { InlineText } from '../records/facts/inline-text.tsx'
import { TextFact } from '../records/facts/text-fact.tsx'
import { useLinkUpdate } from '../records/use-link-update.ts'
import { useRecordUpdate } from '../records/use-record-update.ts'

/** The fields of a deal, except its stage, which stands in the head. */
export function DealFacts({ deal }: { readonly deal: Deal }) {
  const { texts } = useConsole()
  const linkTo = useLinkUpdate()
  const { labels } = texts
  return (
    <>
      <TextFact
        kind="deals"
        record={deal}
        label={labels.name}
        value={deal.name}
        edit={(name) => ({ changes: { name: name ?? '' }, shown: { name } })}
      />
      <AmountFact deal={deal} />
      <ForecastFact deal={deal} />
      <Fact label={labels.company}>
        <InlineRecord
          label={labels.company}
          kind="companies"
          record={deal.company}
          choose={(company) => linkTo('deals', deal.id, 'company', company, deal.company)}
        />
      </Fact>
      <Fact label={labels.person}>
        <InlineRecord
          label={labels.person}
          kind="people"
          record={deal.person}
          choose={(person) => linkTo('deals', deal.id, 'person', person, deal.person)}
        />
      </Fact>
      <TextFact
        kind="deals"
        record={deal}
        label={labels.source}
        value={deal.source}
        edit={(source) => ({ changes: { source }, shown: { source } })}
      />
    </>
  )
}

function AmountFact({ deal }: { readonly deal: Deal }) {
  const { texts, workspace, formatAmount } = useConsole()
  const update = useRecordUpdate()
  const label = texts.labels.amount
  const edit = (amount: number) => ({ changes: { amount }, shown: { amount } })
  return (
    <Fact label={label}>
      <InlineText
        label={label}
        display={deal.amount > 0 ? formatAmount(deal) : undefined}
        text={editableMoney(deal, workspace.locale)}
        inputMode="decimal"
        save={(text, reopen) => {
          const amount = parseMoney(text, deal.currency, workspace.locale)
          if (amount === undefined)
            return texts.faults.notAnAmount(deal.currency, exampleAmount(deal.currency, workspace.locale))
          update({
            kind: 'deals',
            id: deal.id,
            label,
            to: edit(amount),
            from: edit(deal.amount),
            onFault: (error) => reopen(explainError(error, texts)),
          })
          return undefined
        }}
      />
    </Fact>
  )
}

function ForecastFact({ deal }: { readonly deal: Deal }) {
  const { texts, dates, calendar } = useConsole()
  const update = useRecordUpdate()
  const label = texts.labels.forecast
  const date = deal.forecast_date === null ? undefined : new Date(deal.forecast_date)
  const edit = (forecast_date: string | null) => ({ changes: { forecast_date }, shown: { forecast_date } })
  return (
    <Fact label={label}>
      <InlineText
        label={label}
        type="date"
        display={date && dates.dayWithYear(date)}
        text={date ? calendar.dayOf(date) : ''}
        save={(text, reopen) => {
          const next = calendar.readDate(text)?.toISOString() ?? null
          update({
            kind: 'deals',
            id: deal.id,
            label,
            to: edit(next),
            from: edit(deal.forecast_date),
            onFault: (error) => reopen(explainError(error, texts)),
          })
          return undefined
        }}
      />
    </Fact>
  )
}
