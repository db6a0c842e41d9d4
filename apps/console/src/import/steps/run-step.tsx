import { useEffect, useRef } from 'preact/hooks'
import { announce } from '../../ui/live-region.tsx'
import styles from '../import.module.css'
import { correctProblem, groupProblems, type Problem } from '../rows/problem.ts'
import { forgetRefused } from '../run/progress.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'
import { ProblemList } from './problem-list.tsx'
import { RunProgress } from './run-progress.tsx'
import { RunResult } from './run-result.tsx'
import { StepFoot } from './step-foot.tsx'
import { StepHeading } from './step-heading.tsx'

interface RunStepProps {
  readonly session: ImportSession
  /** To the columns, for the rows that are not done. */
  readonly goBack: () => void
  readonly restart: () => void
}

/** The rows that are being brought in, and at the end what became of them. */
export function RunStep({ session, goBack, restart }: RunStepProps) {
  const texts = useImportTexts()
  const problems = listProblems(session)
  const status = runStatus(session)
  useAnnouncements(session, status)
  useResumption(session)
  const hasProblems = problems.length > 0
  const isOver = status === 'done' && !hasProblems
  const { finish } = session
  useEffect(() => {
    if (isOver) finish()
  }, [isOver])

  const correct = (problem: Problem, value: string) => {
    const corrections = correctProblem(session.settings.corrections, problem, value)
    session.start({ corrections }, forgetRefused(session.progress, problem.rows))
  }
  const isActive = status === 'running' || status === 'paused'
  return (
    <>
      <div class={hasProblems ? styles.split : styles.scroll}>
        <div class={hasProblems ? styles.part : styles.page}>
          <StepHeading state={status}>{texts.run[status]}</StepHeading>
          {isActive ? (
            <RunProgress session={session} />
          ) : (
            <RunResult session={session} isStopped={status === 'stopped'} restart={restart} />
          )}
        </div>
        {hasProblems && (
          <ProblemList
            session={session}
            problems={problems}
            leaveBlankLabel={texts.problems.leaveBlankAndRetry}
            correct={isActive ? undefined : correct}
          />
        )}
      </div>
      {!isActive && !isOver && <StepFoot back={{ label: texts.step.columns, run: goBack }} />}
    </>
  )
}

/** Rows that are ready and were not brought in were stopped: by a reload, or because they became ready since. */
function runStatus({ runState, plan }: ImportSession) {
  if (runState && runState.status !== 'done') return runState.status
  return plan.rows.length > 0 ? 'stopped' : 'done'
}

/** What the browser knows to be wrong, and what the service refused. */
function listProblems({ problems, progress }: ImportSession): readonly Problem[] {
  const refused = [...progress.outcomes].flatMap(([number, outcome]) =>
    outcome.status === 'refused' ? [{ number, errors: outcome.errors }] : [],
  )
  return [...groupProblems(refused), ...problems]
}

/** Goes on with what was left before the page was loaded. */
function useResumption({ runState, plan, start }: ImportSession): void {
  const isLeft = runState === undefined && plan.rows.length > 0
  useEffect(() => {
    if (isLeft) start()
  }, [])
}

const ANNOUNCED_TENTHS = 10

/** Tells screen readers each tenth of the way, and the end. */
function useAnnouncements({ runState }: ImportSession, status: ReturnType<typeof runStatus>): void {
  const { run } = useImportTexts()
  const { done = 0, total = 0 } = runState ?? {}
  const tenth = total === 0 ? 0 : Math.floor((done / total) * ANNOUNCED_TENTHS)
  const words = useRef('')
  words.current = `${run[status]}. ${run.of(done, total)}`
  useEffect(() => announce(words.current), [tenth, status])
}
