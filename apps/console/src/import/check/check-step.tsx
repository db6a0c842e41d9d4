import type { CheckReport, Import, ProblemGroup } from '@sales-crm/client'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { useImportStep } from '../queries.ts'
import type { StepName } from '../steps/find-step.ts'
import { Progress } from '../steps/progress.tsx'
import { StepFoot } from '../steps/step-foot.tsx'
import { StepHeading } from '../steps/step-heading.tsx'
import { useImportTexts } from '../texts/texts.ts'
import { CountsTable } from './counts-table.tsx'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { ExampleRows } from './example-rows.tsx'
import { AppliedRemedies } from './mend/applied-remedies.tsx'
import { findMendableColumn, MendPanel } from './mend/mend-panel.tsx'
import { useMend } from './mend/use-mend.ts'
import { ProblemCells, ProblemList } from './problem-list.tsx'
import { useRunStart } from './use-run-start.ts'

interface CheckStepProps {
  readonly opened: Import
  readonly goTo: (step: StepName) => void
}

/** Says what will happen. Nothing is written. */
export function CheckStep({ opened, goTo }: CheckStepProps) {
  const { report } = opened
  if (opened.state === 'checking' || !report) return <Checking opened={opened} />
  return <Report opened={opened} report={report} goTo={goTo} />
}

function Checking({ opened }: Pick<CheckStepProps, 'opened'>) {
  const { check, ...texts } = useImportTexts()
  const step = useImportStep(opened.id)
  return (
    <div class={styles.scroll}>
      <div class={styles.page}>
        <StepHeading>{check.checking(opened.name)}</StepHeading>
        <Progress label={check.checking(opened.name)} done={opened.done} total={opened.rows}>
          {texts.rows(opened.done)}
        </Progress>
        <p class={text.soft}>{check.checkingText}</p>
        <p>
          <Button onClick={() => step.mutate((imports) => imports.cancel(opened.id))}>{check.stop}</Button>
        </p>
      </div>
    </div>
  )
}

/** Leaves the column of a problem out, and checks again. Undefined if it has none. */
function useLeavingOut(opened: Import, problem: ProblemGroup | undefined): (() => void) | undefined {
  const { id, columns } = opened
  const step = useImportStep(id)
  const column = columns.findIndex(
    ({ name, target }) => name === problem?.column && target?.kind === problem.kind,
  )
  if (column < 0) return undefined
  return () =>
    step.mutate(async (imports) => {
      await imports.update(id, { columns: [{ column, target: null }] })
      return imports.check(id)
    })
}

const DAY_MS = 86_400_000

function Report({ opened, report, goTo }: CheckStepProps & { readonly report: CheckReport }) {
  const { check, ...texts } = useImportTexts()
  const [chosen, setChosen] = useState(0)
  const start = useRunStart(opened.id)
  const mend = useMend(opened)
  const problem = report.problems[chosen]
  const leaveOut = useLeavingOut(opened, problem)
  const heading = useRef<HTMLHeadingElement>(null)
  const choose = (index: number) => {
    setChosen(index)
    // On a phone it stands above the list.
    heading.current?.scrollIntoView({ block: 'nearest' })
  }
  const mended = problem && findMendableColumn(opened, problem)
  const rows = opened.rows ?? 0
  const days = Math.max(0, Math.round((Date.parse(opened.expires_at) - Date.now()) / DAY_MS))
  return (
    <>
      <div class={styles.split}>
        <div class={styles.part}>
          <section class={styles.block} aria-label={check.title}>
            <StepHeading>{check.title}</StepHeading>
            {report.over_quota > 0 && <Notice kind="caution">{check.overQuota(report.over_quota)}</Notice>}
            <CountsTable counts={report.counts} />
          </section>
          {problem && (
            <ProblemCells problem={problem} leaveOut={leaveOut} headingRef={heading}>
              {mended !== undefined && (
                <MendPanel
                  key={`${mended} ${problem.message}`}
                  opened={opened}
                  problem={problem}
                  column={mended}
                  mend={mend}
                />
              )}
            </ProblemCells>
          )}
          <AppliedRemedies opened={opened} mend={mend} />
          <ExampleRows opened={opened} examples={report.examples} />
        </div>
        <ProblemList
          problems={report.problems}
          rowsWithProblems={report.rows_with_problems}
          chosen={chosen}
          choose={choose}
        />
      </div>
      <StepFoot
        back={{ label: texts.step.rules, run: () => goTo('rules') }}
        next={
          mend.count > 0
            ? { label: check.mend.apply(mend.count), isReady: !mend.isPending, run: mend.apply }
            : { label: check.start(rows), isReady: !start.isPending, run: () => start.run({}) }
        }
      >
        {check.whole(rows - report.rows_with_problems, report.rows_with_problems)} {check.undoDays(days)}
      </StepFoot>
      {start.asksForDeliveries && <DeliveriesDialog start={start} />}
    </>
  )
}
