import type { Input } from '../../../engine/patch.ts'
import type { StageType } from '../../../schema/stage.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import { compactText } from '../folded-text.ts'
import type { ImportOptions } from '../import-record.ts'
import type { CellProblem } from '../row-result.ts'
import { type RecordDraft, shorten } from '../rows/record-draft.ts'
import type { Directory } from './directory.ts'

interface NameContext {
  readonly options: ImportOptions
  columnOf(kind: ImportKind, field: string): string
}

interface ResolvedNames {
  readonly fields: Input
  readonly problems: readonly CellProblem[]
}

const STATUS_WORDS: Readonly<Record<StageType, readonly string[]>> = {
  open: ['open', 'aberto', 'aberta', 'emandamento', 'ongoing', 'andamento', 'pausada'],
  win: ['win', 'won', 'ganho', 'ganha', 'vendida', 'vendido', 'closedwon', 'fechadoganho'],
  lost: ['lost', 'perdido', 'perdida', 'closedlost', 'fechadoperdido'],
}

/** Finds the settings that the cells of a record name: owner, task type, pipeline and stage. */
export function resolveNames(draft: RecordDraft, context: NameContext, directory: Directory): ResolvedNames {
  const problems: CellProblem[] = []
  const refuse = (field: string, text: string, message: string) => {
    problems.push({
      kind: draft.kind,
      column: context.columnOf(draft.kind, field),
      value: shorten(text),
      message,
    })
  }
  const fields = {
    ...resolveOwner(draft, context, directory, refuse),
    ...resolveTaskType(draft, directory, refuse),
    ...(draft.kind === 'deals' && resolveStage(draft, directory, refuse)),
  }
  return { fields, problems }
}

type Refuse = (field: string, text: string, message: string) => void

function resolveOwner(
  { kind, names }: RecordDraft,
  { options }: NameContext,
  directory: Directory,
  refuse: Refuse,
): Input {
  if (kind === 'products') return {}
  const [text] = names['owner_email'] ?? []
  if (text === undefined)
    return options.owner_user_id === null ? {} : { owner_user_id: options.owner_user_id }
  const id = directory.findMember(text)
  if (id !== undefined) return { owner_user_id: id }
  refuse('owner_email', text, 'No member of that name or address.')
  return {}
}

function resolveTaskType({ names }: RecordDraft, directory: Directory, refuse: Refuse): Input {
  const [text] = names['type'] ?? []
  if (text === undefined) return {}
  const id = directory.findTaskType(text)
  if (id === undefined) refuse('type', text, 'No task type of that name.')
  return { type: id }
}

/** A status says more than a stage: a deal that was won may still be in the stage in which it was. */
function resolveStage({ names, fields }: RecordDraft, directory: Directory, refuse: Refuse): Input {
  const [[pipelineName], [stageName], [statusName]] = ['pipeline', 'stage', 'status'].map(
    (name) => names[name] ?? [],
  ) as [readonly string[], readonly string[], readonly string[]]
  const pipelineId = pipelineName === undefined ? undefined : directory.findPipeline(pipelineName)
  if (pipelineName !== undefined && pipelineId === undefined)
    refuse('pipeline', pipelineName, 'No pipeline of that name.')
  const named = stageName === undefined ? undefined : directory.findStage(stageName, pipelineId)
  const status = statusName === undefined ? undefined : readStatus(statusName)
  if (statusName !== undefined && !status) refuse('status', statusName, 'Is neither open, won nor lost.')
  const closed =
    status && status !== 'open' && named?.type !== status
      ? directory.findStageOfType(status, named?.pipeline_id ?? pipelineId ?? directory.firstPipeline)
      : undefined
  if (stageName !== undefined && !named && !closed) refuse('stage', stageName, 'No stage of that name.')
  const stage = closed ?? named
  const isOpen = (stage?.type ?? 'open') === 'open'
  return {
    ...(stage && { stage_id: stage.id, pipeline_id: stage.pipeline_id }),
    ...(!stage && pipelineId !== undefined && { pipeline_id: pipelineId }),
    ...(fields['closed_at'] !== undefined && isOpen && { closed_at: null }),
  }
}

function readStatus(text: string): StageType | undefined {
  const folded = compactText(text)
  const found = Object.entries(STATUS_WORDS).find(([, words]) => words.includes(folded))
  return found?.[0] as StageType | undefined
}
