import { useConsole } from '../../app/console-context.ts'
import { Bar, BarEnd } from '../../shell/page-parts.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import type { ImportKind } from '../can-import.ts'
import styles from '../import.module.css'
import { useImportTexts } from '../texts.ts'

const STEPS = ['file', 'columns', 'review', 'run'] as const
export type StepName = (typeof STEPS)[number]

interface StepBarProps {
  readonly kind: ImportKind
  readonly step: StepName
  /** Undefined if nothing is to be saved. */
  readonly leave?: (() => void) | undefined
}

/** The head of the page: its steps, and the way out. */
export function StepBar({ kind, step, leave }: StepBarProps) {
  const { formatNumber } = useConsole()
  const texts = useImportTexts()
  const current = STEPS.indexOf(step)
  return (
    <Bar>
      <h1>{texts.title[kind]}</h1>
      <ol class={classNames(styles.steps, text.deskOnly)} aria-label={texts.steps}>
        {STEPS.map((name, index) => (
          <li
            key={name}
            class={index < current ? styles.isDone : undefined}
            aria-current={index === current ? 'step' : undefined}
          >
            <i aria-hidden="true">{formatNumber(index + 1)}</i>
            {texts.step[name]}
          </li>
        ))}
      </ol>
      {leave && (
        <BarEnd>
          <Button look="quiet" onClick={leave}>
            {texts.leave}
          </Button>
        </BarEnd>
      )}
    </Bar>
  )
}
