import type { Input } from '../../../engine/patch.ts'
import type { StageType } from '../../../schema/stage.ts'
import { CELL_RULES, type CellRule } from '../cell-rules.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import { compactText } from '../folded-text.ts'
import type { ImportOptions } from '../import-record.ts'
import type { CellProblem } from '../row-result.ts'
import { type RecordDraft, shorten } from '../rows/record-draft.ts'
import type { Directory } from './directory.ts'

interface NameContext {
  readonly options: ImportOptions
  columnOf(kind: ImportKind, field: string): string
  isBlank(kind: ImportKind, field: string): boolean
}

interface ResolvedNames {
  readonly fields: Input
  readonly problems: readonly CellProblem[]
  /** Cells that name what is not there, and are left empty for that. */
  readonly blankCells: readonly CellProblem[]
}

const STATUS_WORDS: Readonly<Record<StageType, readonly string[]>> = {
  open: ['open', 'aberto', 'aberta', 'emandamento', 'ongoing', 'andamento', 'pausada'],
  win: ['win', 'won', 'ganho', 'ganha', 'vendida', 'vendido', 'closedwon', 'fechadoganho'],
  lost: ['lost', 'perdido', 'perdida', 'closedlost', 'fechadoperdido'],
}

/** Finds the settings that the cells of a record name: owner, task type, pipeline and stage. */
export function resolveNames(draft: RecordDraft, context: NameContext, directory: Directory): ResolvedNames {
  const { kind } = draft
  const problems: CellProblem[] = []
  const blankCells: CellProblem[] = []
  const refuse: Refuse = (field, text, rule) => {
    const cells = context.isBlank(kind, field) ? blankCells : problems
    cells.push({ kind, column: context.columnOf(kind, field), value: shorten(text), ...rule })
  }
  const fields = {
    ...resolveOwner(draft, context, directory, refuse),
    ...resolveTaskType(draft, directory, refuse),
    ...(kind === 'deals' && resolveStage(draft, directory, refuse)),
  }
  return { fields, problems, blankCells }
}

type Refuse = (field: string, text: string, rule: CellRule) => void

function resolveOwner(
  { kind, names }: RecordDraft,
  { options }: NameContext,
  directory: Directory,
  refuse: Refuse,
): Input {
  if (kind === 'products') return {}
  const [text] = names['owner_email'] ?? []
  const id = text === undefined ? undefined : directory.findMember(text)
  if (id !== undefined) return { owner_user_id: id }
  if (text !== undefined) refuse('owner_email', text, CELL_RULES.owner)
  return options.owner_user_id === null ? {} : { owner_user_id: options.owner_user_id }
}

function resolveTaskType({ names }: RecordDraft, directory: Directory, refuse: Refuse): Input {
  const [text] = names['type'] ?? []
  if (text === undefined) return {}
  const id = directory.findTaskType(text)
  if (id !== undefined) return { type: id }
  refuse('type', text, CELL_RULES.taskType)
  return {}
}

/** A status says more than a stage: a deal that was won may still be in the stage in which it was. */
function resolveStage({ names, fields }: RecordDraft, directory: Directory, refuse: Refuse): Input {
  const [[pipelineName], [stageName], [statusName]] = ['pipeline', 'stage', 'status'].map(
    (name) => names[name] ?? [],
  ) as [readonly string[], readonly string[], readonly string[]]
  const pipelineId = pipelineName === undefined ? undefined : directory.findPipeline(pipelineName)
  if (pipelineName !== undefined && pipelineId === undefined)
    refuse('pipeline', pipelineName, CELL_RULES.pipeline)
  const named = stageName === undefined ? undefined : directory.findStage(stageName, pipelineId)
  const status = statusName === undefined ? undefined : readStatus(statusName)
  if (statusName !== undefined && !status) refuse('status', statusName, CELL_RULES.status)
  const closed =
    status && status !== 'open' && named?.type !== status
      ? directory.findStageOfType(status, named?.pipeline_id ?? pipelineId ?? directory.firstPipeline)
      : undefined
  if (stageName !== undefined && !named && !closed) refuse('stage', stageName, CELL_RULES.stage)
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
