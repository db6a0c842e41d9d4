import { type DealDetail, type PipelineView, validationError } from '@sales-crm/core'
import { notFoundRule } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { text, toolArguments } from '../argument-schemas.ts'
import { listPipelines, nameAndId, stageNames } from '../name-lookups.ts'
import { defineTool, UPDATE_HINTS } from '../tool.ts'
import type { Scopes } from '../tool-scopes.ts'
import { formatValidNames } from '../valid-names.ts'

const REQUIRED_SCOPES = ['deals:read', 'deals:write']

const input = toolArguments({
  id: text(),
  stage_id: v.optional(text()),
  stage: v.optional(text('Its name, instead of stage_id')),
  pipeline: v.optional(text("Id or name; default the deal's own")),
})

export const moveDeal = defineTool({
  name: 'move_deal',
  title: 'Move a deal',
  description:
    'Moves a deal to another stage, of its own pipeline or another. ' +
    'A stage of type win or lost closes the deal, an open stage reopens it.',
  hints: UPDATE_HINTS,
  write: 'update',
  input: (scopes) => (hasRequiredScopes(scopes) ? input : undefined),
  requiredScopes: () => REQUIRED_SCOPES,
  async run(caller, { id, stage_id, stage, pipeline }) {
    const { crm, actor } = caller
    if ((stage_id === undefined) === (stage === undefined))
      throw validationError({ stage: 'Exactly one of stage and stage_id is required.' })
    const deal = await crm.deals.get(actor, id)
    const pipelines = await listPipelines(caller)
    const target = findPipeline(deal, pipeline, pipelines)
    const stageId = findStage(target, { stage_id, stage })
    const changes =
      target.id === deal.pipeline?.id ? { stage_id: stageId } : { pipeline_id: target.id, stage_id: stageId }
    const movedDeal = await crm.deals.update(actor, id, changes)
    return {
      result: {
        id: movedDeal.id,
        name: movedDeal.name,
        from: stageOf(deal),
        to: stageOf(movedDeal),
        closed_at: movedDeal.closed_at,
      },
    }
  },
})

function hasRequiredScopes(scopes: Scopes): boolean {
  return REQUIRED_SCOPES.every((scope) => scopes.has(scope))
}

function stageOf({ pipeline, stage }: DealDetail) {
  return { pipeline, stage }
}

/** @throws CrmError `validation_error` */
function findPipeline(
  deal: DealDetail,
  nameOrId: string | undefined,
  pipelines: readonly PipelineView[],
): PipelineView {
  const matches =
    nameOrId === undefined
      ? pipelines.filter(({ id }) => id === deal.pipeline?.id)
      : findByIdOrName(nameOrId, pipelines)
  return requireSingle(matches, 'pipeline', 'Pipeline', pipelines.map(nameAndId))
}

/** @throws CrmError `validation_error` */
function findStage(
  pipeline: PipelineView,
  { stage_id, stage }: { readonly stage_id: string | undefined; readonly stage: string | undefined },
) {
  const { stages } = pipeline
  const matches =
    stage_id === undefined
      ? findByIdOrName(stage ?? '', stages)
      : stages.filter(({ id }) => id === stage_id.toLowerCase())
  return requireSingle(matches, stage_id === undefined ? 'stage' : 'stage_id', 'Stage', stageNames(pipeline))
    .id
}

interface NamedRecord {
  readonly id: string
  readonly name: string
}

/** Matches by id, or else by name, ignoring case. */
function findByIdOrName<N extends NamedRecord>(nameOrId: string, records: readonly N[]): readonly N[] {
  const needle = nameOrId.trim().toLowerCase()
  const byId = records.filter(({ id }) => id === needle)
  return byId.length > 0 ? byId : records.filter(({ name }) => name.toLowerCase() === needle)
}

function requireSingle<N extends NamedRecord>(
  matches: readonly N[],
  field: string,
  label: string,
  valid: readonly string[],
): N {
  const [first, ...others] = matches
  if (first && others.length === 0) return first
  const rule = first ? `More than one has this name: send the id.` : notFoundRule(label)
  throw validationError({ [field]: rule + formatValidNames(valid) })
}
