import { type DealDetail, invalid, type PipelineView } from '@sales-crm/core'
import * as v from 'valibot'
import { args, text } from '../inputs.ts'
import { namedAs } from '../named-as.ts'
import { nameAndId, pipelinesOf, stagesNamed } from '../options.ts'
import type { Scopes } from '../scopes.ts'
import { CHANGES, defineTool } from '../tool.ts'

const NEEDS = ['deals:read', 'deals:write']

const input = args({
  id: text(),
  stage_id: v.optional(text()),
  stage: v.optional(text('Its name, instead of stage_id')),
  pipeline: v.optional(text("Id or name; default the deal's own")),
})

export const moveDeal = defineTool({
  name: 'move_deal',
  title: 'Move a deal',
  description:
    'Moves a deal to another stage, of its own pipeline or another. A stage of type win or lost closes it, an open one opens it again.',
  hints: CHANGES,
  input: (scopes) => (hasAll(scopes) ? input : undefined),
  needs: () => NEEDS,
  async run(caller, { id, stage_id, stage, pipeline }) {
    const { crm, actor } = caller
    if ((stage_id === undefined) === (stage === undefined)) throw invalid({ stage: 'Exactly one of stage and stage_id is required.' })
    const before = await crm.deals.get(actor, id)
    const pipelines = await pipelinesOf(caller)
    const target = pipelineFor(before, pipeline, pipelines)
    const to = stageIn(target, { stage_id, stage })
    const changes = target.id === before.pipeline?.id ? { stage_id: to } : { pipeline_id: target.id, stage_id: to }
    const after = await crm.deals.update(actor, id, changes)
    return { result: { id: after.id, name: after.name, from: placeOf(before), to: placeOf(after), closed_at: after.closed_at } }
  },
})

function hasAll(scopes: Scopes): boolean {
  return NEEDS.every((scope) => scopes.has(scope))
}

function placeOf({ pipeline, stage }: DealDetail) {
  return { pipeline, stage }
}

/** @throws CrmError `validation_error` */
function pipelineFor(deal: DealDetail, named: string | undefined, pipelines: readonly PipelineView[]): PipelineView {
  const wanted = named === undefined ? pipelines.filter(({ id }) => id === deal.pipeline?.id) : called(named, pipelines)
  return oneAmong(wanted, 'pipeline', 'Pipeline', pipelines.map(nameAndId))
}

/** @throws CrmError `validation_error` */
function stageIn(
  pipeline: PipelineView,
  { stage_id, stage }: { readonly stage_id: string | undefined; readonly stage: string | undefined },
) {
  const { stages } = pipeline
  const wanted = stage_id === undefined ? called(stage ?? '', stages) : stages.filter(({ id }) => id === stage_id.toLowerCase())
  return oneAmong(wanted, stage_id === undefined ? 'stage' : 'stage_id', 'Stage', stagesNamed(pipeline)).id
}

interface Named {
  readonly id: string
  readonly name: string
}

/** By id, or else by name in any case. */
function called<N extends Named>(wanted: string, among: readonly N[]): readonly N[] {
  const folded = wanted.trim().toLowerCase()
  const byId = among.filter(({ id }) => id === folded)
  return byId.length > 0 ? byId : among.filter(({ name }) => name.toLowerCase() === folded)
}

function oneAmong<N extends Named>(found: readonly N[], field: string, label: string, valid: readonly string[]): N {
  const [first, ...others] = found
  if (first && others.length === 0) return first
  const rule = first ? `More than one has this name: send the id.` : `${label} not found.`
  throw invalid({ [field]: rule + namedAs(valid) })
}
