import { Link } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { useChange } from '../cache/use-change.ts'
import { Bar, pageStyles } from '../shell/page-parts.tsx'
import { Button } from '../ui/button.tsx'

/** A workspace without a pipeline: one press makes the first one, whose stages can be changed. */
export function NoPipeline() {
  const { crm, me, texts } = useConsole()
  const change = useChange()
  const { sample } = texts.deals
  const create = () =>
    change({
      send: () =>
        crm.pipelines.create({
          name: sample.name,
          stages: [
            { name: sample.qualified, type: 'open', probability: 10 },
            { name: sample.demo, type: 'open', probability: 30 },
            { name: sample.proposal, type: 'open', probability: 60 },
            { name: sample.negotiation, type: 'open', probability: 80 },
            { name: texts.deals.won, type: 'win', probability: 100 },
            { name: texts.deals.lost, type: 'lost', probability: 0 },
          ],
        }),
      done: texts.create.created(sample.name),
    })
  return (
    <>
      <Bar>
        <h1>{texts.labels.deals}</h1>
      </Bar>
      <div class={pageStyles.state}>
        <p>{texts.deals.noPipeline}</p>
        {isAdmin(me) ? (
          <>
            <Button look="main" icon="plus" onClick={create}>
              {sample.create}
            </Button>
            <Link href="/settings/pipelines">{texts.deals.makePipeline}</Link>
          </>
        ) : (
          <p>{texts.deals.askForPipeline}</p>
        )}
      </div>
    </>
  )
}
