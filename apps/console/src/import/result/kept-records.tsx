import type { Decisions, Import, KeptRecord } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { Link } from 'wouter'
import { KINDS } from '../../records/kinds.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import group from '../../ui/group.module.css'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { KIND_ICONS } from '../kind-icons.ts'
import { useImportStep, useKept } from '../queries.ts'
import { useImportTexts } from '../texts/texts.ts'
import own from './result.module.css'

type Decision = Decisions['decisions'][number]['decision']

/** Decisions of one call. */
const MAX_DECISIONS = 100

interface KeptRecordsProps {
  readonly opened: Import
}

/** What a reversal has left: each is kept, or taken back in spite of what was changed. */
export function KeptRecords({ opened }: KeptRecordsProps) {
  const { kept: texts } = useImportTexts()
  const { data: kept = [], refetch } = useKept(opened.id)
  const [decisions, setDecisions] = useState<ReadonlyMap<number, Decision>>(new Map())
  const step = useImportStep(opened.id)
  const decisionOf = (number: number): Decision => decisions.get(number) ?? 'keep'
  const decideAll = (decision: Decision) =>
    setDecisions(new Map(kept.map(({ number }) => [number, decision])))
  const reverted = kept.filter(({ number }) => decisionOf(number) === 'revert').length
  const send = () => {
    const all = kept.map(({ number }) => ({ number, decision: decisionOf(number) }))
    step.mutate(
      async (imports) => {
        let current = opened
        for (let at = 0; at < all.length; at += MAX_DECISIONS)
          current = await imports.decide(opened.id, { decisions: all.slice(at, at + MAX_DECISIONS) })
        return current
      },
      { onSettled: () => refetch() },
    )
  }
  return (
    <section class={styles.block} aria-label={texts.title}>
      <div class={styles.blockHead}>
        <h2>{texts.title}</h2>
        <span class={text.count}>{texts.count(opened.reversal?.kept ?? 0)}</span>
        <span class={classNames(styles.actions, text.push)}>
          <Button small onClick={() => decideAll('keep')}>
            {texts.keepAll}
          </Button>
          <Button small onClick={() => decideAll('revert')}>
            {texts.revertAll}
          </Button>
        </span>
      </div>
      <ul class={own.kept}>
        {kept.map((record) => (
          <KeptRow
            key={record.number}
            record={record}
            decision={decisionOf(record.number)}
            decide={(decision) => setDecisions(new Map(decisions).set(record.number, decision))}
          />
        ))}
      </ul>
      {kept.some(({ action }) => action === 'updated') && (
        <p class={classNames(text.soft, text.small)}>{texts.hint}</p>
      )}
      {kept.length > 0 && (
        <p>
          <Button look="main" aria-busy={step.isPending} onClick={() => step.isPending || send()}>
            {texts.send(kept.length - reverted, reverted)}
          </Button>
        </p>
      )}
    </section>
  )
}

interface KeptRowProps {
  readonly record: KeptRecord
  readonly decision: Decision
  readonly decide: (decision: Decision) => void
}

function KeptRow({ record, decision, decide }: KeptRowProps) {
  const { kept: texts } = useImportTexts()
  const { kind, id, action, reason } = record
  const name = record.name ?? texts.deleted
  const hasPage = record.name !== null && KINDS.some((each) => each === kind)
  const choices = [
    ['keep', texts.keep],
    ['revert', action === 'created' ? texts.delete : texts.putBack],
  ] as const
  return (
    <li>
      <span class={own.keptName}>
        <span class={styles.kindName}>
          <Icon name={KIND_ICONS[kind]} />
          {hasPage ? (
            <Link class={text.plain} href={`/${kind}/${id}`}>
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
        <span class={styles.note}>
          {action === 'created' ? texts.made : texts.changed} · {texts.reasons[reason]}
        </span>
      </span>
      <fieldset class={classNames(group.group, own.decision)} aria-label={name}>
        {choices.map(([each, label]) => (
          <button key={each} type="button" aria-pressed={decision === each} onClick={() => decide(each)}>
            {label}
          </button>
        ))}
      </fieldset>
    </li>
  )
}
