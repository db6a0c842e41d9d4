import { useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import type { ImportKind } from './can-import.ts'
import type { WorkspaceNames } from './rows/reading-context.ts'
import type { ImportStep, ImportStorage } from './saved/saved-import.ts'
import { ColumnsStep } from './steps/columns-step.tsx'
import { ReviewStep } from './steps/review-step.tsx'
import { RunStep } from './steps/run-step.tsx'
import { StepBar } from './steps/step-bar.tsx'
import { type OpenImport, useImportSession } from './use-import-session.ts'

interface ImportStepsProps {
  readonly kind: ImportKind
  readonly opened: OpenImport
  readonly names: WorkspaceNames
  readonly storage: ImportStorage
  readonly goBack: () => void
}

/** The steps after the file. */
export function ImportSteps({ kind, opened, names, storage, goBack }: ImportStepsProps) {
  const session = useImportSession(kind, opened, names, storage)
  const [, navigate] = useLocation()
  const [step, setStep] = useState<ImportStep>(opened.settings.step)
  const goTo = (next: ImportStep) => {
    session.change({ step: next })
    setStep(next)
  }
  return (
    <>
      <StepBar
        kind={kind}
        step={step}
        leave={session.runState?.status === 'done' ? undefined : () => navigate(`/${kind}`)}
      />
      {step === 'columns' && <ColumnsStep session={session} goBack={goBack} goOn={() => goTo('review')} />}
      {step === 'review' && (
        <ReviewStep
          session={session}
          goBack={() => goTo('columns')}
          goOn={() => {
            session.start()
            setStep('run')
          }}
        />
      )}
      {step === 'run' && (
        <RunStep
          session={session}
          goBack={() => {
            session.reopen()
            setStep('columns')
          }}
          restart={goBack}
        />
      )}
    </>
  )
}
