import { useMenu } from '../../reference/queries.ts'
import styles from '../import.module.css'
import { useImportStep, useImportUpdate } from '../queries.ts'
import type { StepName } from '../steps/find-step.ts'
import { StepFoot } from '../steps/step-foot.tsx'
import { StepHeading } from '../steps/step-heading.tsx'
import { useImportTexts } from '../texts/texts.ts'
import { MatchRules } from './match-rules.tsx'
import { PolicyRules } from './policy-rules.tsx'
import { RowRules } from './row-rules.tsx'
import type { RulesProps } from './rules-props.ts'

interface RulesStepProps extends Pick<RulesProps, 'opened'> {
  readonly goTo: (step: StepName) => void
}

/** How records are found, and what happens to them. */
export function RulesStep({ opened, goTo }: RulesStepProps) {
  const texts = useImportTexts()
  const { rules } = texts
  const update = useImportUpdate(opened.id)
  const step = useImportStep(opened.id)
  const fields = useMenu('customFields')
  const check = () => step.mutate((imports) => imports.check(opened.id), { onSuccess: () => goTo('check') })
  const parts = { opened, update, fields: fields.data ?? [] }
  return (
    <>
      <div class={styles.scroll}>
        <div class={styles.page}>
          <section aria-label={rules.find} class={styles.block}>
            <StepHeading>{rules.find}</StepHeading>
            <MatchRules {...parts} />
          </section>
          <PolicyRules {...parts} />
          <RowRules {...parts} />
        </div>
      </div>
      <StepFoot
        back={{ label: texts.step.columns, run: () => goTo('columns') }}
        next={{
          label: rules.checkRows(opened.rows ?? 0),
          isReady: opened.kinds.length > 0 && !step.isPending,
          run: check,
        }}
      >
        {rules.nothingWritten}
      </StepFoot>
    </>
  )
}
