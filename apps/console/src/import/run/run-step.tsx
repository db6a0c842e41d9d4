import type { Import } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { ConfirmDialog } from '../../settings/frame/confirm-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { useImportStep, useImports } from '../queries.ts'
import { formatDuration } from '../steps/duration.ts'
import { Figures } from '../steps/figures.tsx'
import { Progress } from '../steps/progress.tsx'
import { StepHeading } from '../steps/step-heading.tsx'
import { useImportTexts } from '../texts/texts.ts'
import own from './run.module.css'
import { sumCounts } from './sum-counts.ts'

interface RunStepProps {
  readonly opened: Import
}

/** How far the run is, and what holds it up. */
export function RunStep({ opened }: RunStepProps) {
  const { formatNumber } = useConsole()
  const { run, ...texts } = useImportTexts()
  const { state, name, done, rows, problem, counts } = opened
  const title =
    state === 'waiting' ? run.waiting(name) : state === 'paused' ? run.paused(name) : run.running(name)
  const { created, updated } = sumCounts(counts)
  return (
    <div class={styles.scroll}>
      <div class={styles.page}>
        <div class={own.runHead}>
          <div>
            <StepHeading state={state}>{title}</StepHeading>
            <Begun opened={opened} />
          </div>
          <Actions opened={opened} />
        </div>
        {state === 'paused' && (
          <Notice kind="caution">{problem ? texts.explainProblem(problem) : run.pausedText}</Notice>
        )}
        {state === 'waiting' && <WaitingNotice />}
        <Progress label={run.progress} done={done} total={rows}>
          <Pace opened={opened} />
        </Progress>
        <Figures
          figures={[
            { label: run.done, value: formatNumber(done), note: run.of(rows ?? 0) },
            { label: run.created, value: formatNumber(created) },
            { label: run.updated, value: formatNumber(updated) },
            { label: run.leftOut, value: formatNumber(opened.rows_with_problems) },
          ]}
        />
        <p class={text.soft}>{run.hint}</p>
      </div>
    </div>
  )
}

/** Names the import that this one waits for. */
function WaitingNotice() {
  const { run } = useImportTexts()
  const { data } = useImports()
  const other = data?.pages[0]?.data.find(({ state }) => state === 'running' || state === 'reverting')
  return other ? <Notice>{run.after(other.name)}</Notice> : null
}

function Begun({ opened }: RunStepProps) {
  const { dates } = useConsole()
  const { run, list } = useImportTexts()
  const now = useNow()
  const at = new Date(opened.started_at ?? opened.updated_at)
  return (
    <p class={text.soft}>{run.begunBy(opened.user?.name ?? list.formerMember, dates.instant(at, now))}</p>
  )
}

/** Before it, the rate of the first rows says little. */
const MIN_SECONDS = 5

function Pace({ opened }: RunStepProps) {
  const { run, ...texts } = useImportTexts()
  const { state, done, rows_per_second, seconds_left, started_at } = opened
  if (state === 'paused') return <>{run.waitsAt(done + 1)}</>
  const seconds = started_at === null ? 0 : (Date.now() - Date.parse(started_at)) / 1000
  if (rows_per_second === null || seconds_left === null || seconds < MIN_SECONDS) return null
  return (
    <>
      {run.rate(Math.round(rows_per_second))} · {run.left(formatDuration(seconds_left, texts))}
    </>
  )
}

function Actions({ opened }: RunStepProps) {
  const { run } = useImportTexts()
  const step = useImportStep(opened.id)
  const [asks, setAsks] = useState(false)
  const { id, state } = opened
  return (
    <div class={styles.actions}>
      {state === 'paused' ? (
        <Button look="main" onClick={() => step.mutate((imports) => imports.resume(id))}>
          {run.goOn}
        </Button>
      ) : (
        <Button onClick={() => step.mutate((imports) => imports.pause(id))}>{run.pause}</Button>
      )}
      <Button look="quiet" aria-haspopup="dialog" onClick={() => setAsks(true)}>
        {run.cancel}
      </Button>
      {asks && (
        <ConfirmDialog
          title={run.cancelTitle}
          confirmLabel={run.cancelNow}
          confirm={() => {
            setAsks(false)
            step.mutate((imports) => imports.cancel(id))
          }}
          close={() => setAsks(false)}
        >
          {run.cancelText}
        </ConfirmDialog>
      )}
    </div>
  )
}
