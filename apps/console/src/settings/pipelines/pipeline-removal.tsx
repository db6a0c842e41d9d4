import type { Pipeline } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { DeletionQuestion } from '../frame/deletion-question.tsx'
import { partStyles, Section } from '../frame/part-page.tsx'
import { usePipelineTexts } from './texts.ts'

interface PipelineRemovalProps {
  readonly pipeline: Pipeline
  readonly counts: Readonly<Record<string, number>> | undefined
}

/** Removes a pipeline that holds no deals. */
export function PipelineRemoval({ pipeline, counts }: PipelineRemovalProps) {
  const { texts: shared } = useConsole()
  const texts = usePipelineTexts()
  const [isOpen, setIsOpen] = useState(false)
  const held = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  const isKept = held === undefined || held > 0
  return (
    <Section level={2} title={texts.removal}>
      <p class={partStyles.text} id="pipeline-removal-reason">
        {held === 0 ? texts.removalText : held && texts.removalReason(shared.deals.count(held))}{' '}
        {held !== undefined && held > 0 && (
          <Link href={`/deals?pipeline=${pipeline.id}`}>{texts.openDeals}</Link>
        )}
      </p>
      <Button
        look={isKept ? 'plain' : 'risky'}
        aria-disabled={isKept}
        aria-describedby="pipeline-removal-reason"
        onClick={() => isKept || setIsOpen(true)}
      >
        {texts.remove}
      </Button>
      {isOpen && <RemovalDialog pipeline={pipeline} close={() => setIsOpen(false)} />}
    </Section>
  )
}

interface RemovalDialogProps {
  readonly pipeline: Pipeline
  readonly close: () => void
}

function RemovalDialog({ pipeline, close }: RemovalDialogProps) {
  const { crm } = useConsole()
  const texts = usePipelineTexts()
  const [, navigate] = useLocation()
  return (
    <DeletionQuestion
      id={pipeline.id}
      name={pipeline.name}
      send={() => crm.pipelines.delete(pipeline.id)}
      onDone={() => navigate('/settings/pipelines')}
      close={close}
    >
      {texts.removalFinal}
    </DeletionQuestion>
  )
}

/** The number of deals in each stage of a pipeline, by the id of the stage. */
export function useStageCounts(pipelineId: string) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['pipelines', 'stage-counts', pipelineId],
    queryFn: async ({ signal }): Promise<Readonly<Record<string, number>>> => {
      const { stages } = await crm.pipelines.board(pipelineId, { limit: 1 }, { signal })
      return Object.fromEntries(stages.map(({ id, count }) => [id, count]))
    },
  })
}
