import type { Import } from '@sales-crm/client'
import { useEffect } from 'preact/hooks'
import { useLocation, useSearch } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { isNotFound } from '../cache/query-client.ts'
import { LoadError } from '../shell/load-boundary.tsx'
import { pageStyles, usePageTitle } from '../shell/page-parts.tsx'
import { carryOver } from './carry-over.ts'
import { CheckStep } from './check/check-step.tsx'
import { ColumnsStep } from './columns/columns-step.tsx'
import { useImport, useImportUpdate } from './queries.ts'
import { ResultStep } from './result/result-step.tsx'
import { RulesStep } from './rules/rules-step.tsx'
import { RunStep } from './run/run-step.tsx'
import { findStep, type StepName } from './steps/find-step.ts'
import { StepBar } from './steps/step-bar.tsx'
import { useImportTexts } from './texts/texts.ts'
import { ArrivalStep } from './upload/arrival-step.tsx'

/** The page of an import, at the step that its state says. */
export function OpenImportPage({ id }: { readonly id: string }) {
  const texts = useImportTexts()
  const { data, error, refetch } = useImport(id)
  usePageTitle(data ? `${texts.title}: ${data.name}` : texts.title)
  if (data) return <Steps opened={data} />
  return (
    <>
      <StepBar step="file" />
      {error && (isNotFound(error) ? <NotFound /> : <LoadError error={error} retry={refetch} />)}
    </>
  )
}

function NotFound() {
  const { texts } = useConsole()
  return <p class={pageStyles.state}>{texts.record.notFoundText}</p>
}

function Steps({ opened }: { readonly opened: Import }) {
  const [, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const step = findStep(opened.state, params.get('step'))
  useLikeness(opened, params.get('like'))
  const goTo = (next: StepName) => navigate(`/imports/${opened.id}?step=${next}`)
  return (
    <>
      <StepBar step={step} />
      {step === 'file' && <ArrivalStep opened={opened} />}
      {step === 'columns' && <ColumnsStep key="columns" opened={opened} goTo={goTo} />}
      {step === 'rules' && <RulesStep key="rules" opened={opened} goTo={goTo} />}
      {step === 'check' && <CheckStep opened={opened} goTo={goTo} />}
      {step === 'run' && <RunStep opened={opened} />}
      {step === 'result' && <ResultStep opened={opened} />}
    </>
  )
}

/** Takes columns and rules from an earlier import, once, as soon as the file is read. */
function useLikeness(opened: Import, like: string | null): void {
  const { crm } = useConsole()
  const [, navigate] = useLocation()
  const update = useImportUpdate(opened.id)
  const isReady = opened.state === 'ready'
  useEffect(() => {
    if (like === null || !isReady) return
    navigate(`/imports/${opened.id}`, { replace: true })
    // An earlier import that is gone leaves the proposals as they are.
    crm.imports.get(like).then(
      (earlier) => update(carryOver(earlier, opened)),
      () => {},
    )
  }, [like, isReady])
}
