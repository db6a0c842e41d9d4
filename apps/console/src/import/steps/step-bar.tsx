import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { Bar, BarEnd } from '../../shell/page-parts.tsx'
import { buttonStyles } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import { useImportTexts } from '../texts/texts.ts'
import { STEPS, type StepName } from './find-step.ts'
import styles from './steps.module.css'

/** The past imports. */
export const IMPORTS_PATH = '/settings/imports'

/** Steps after which nothing is left to choose. */
const LAST_STEPS: readonly StepName[] = ['run', 'result']

/** The head of the page: its steps, and the way out. */
export function StepBar({ step }: { readonly step: StepName }) {
  const { formatNumber } = useConsole()
  const texts = useImportTexts()
  const current = STEPS.indexOf(step)
  return (
    <Bar>
      <h1>{texts.title}</h1>
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
      <BarEnd>
        <Link class={classNames(buttonStyles.button, buttonStyles['quiet'])} href={IMPORTS_PATH}>
          {step === 'file' || LAST_STEPS.includes(step) ? texts.all : texts.leave}
        </Link>
      </BarEnd>
    </Bar>
  )
}
