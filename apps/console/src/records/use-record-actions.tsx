import type { StageReference } from '@sales-crm/client'
import { lazy } from 'preact/compat'
import { useConsole } from '../app/console-context.ts'
import { explainReadOnly, explainUnassignable, explainUndeletable } from '../app/permissions.ts'
import { defaultsFor } from '../create/create-defaults.ts'
import { findMissing } from '../deals/find-missing.ts'
import { toLossInput, toLossView } from '../deals/loss.ts'
import { useMenu } from '../reference/queries.ts'
import { useFindStageSettings } from '../reference/stage-settings.ts'
import { useShareDialog } from '../sharing/use-share-dialog.tsx'
import { useShell } from '../shell/shell-context.ts'
import { showReason } from '../ui/toasts.tsx'
import type { ActionRecord, SelectedRecords } from './edit-records.ts'
import { type Kind, recordName } from './kinds.ts'
import { FieldDialog, ListDialog, OwnerDialog, StageDialog, TagDialog } from './lazy-dialogs.ts'
import type { LabelEdit } from './use-label-change.ts'
import type { FieldEdit } from './use-record-update.ts'
import { useRecordsChange } from './use-records-change.ts'

const RequiredFieldsDialog = lazy(async () => ({
  default: (await import('../deals/required-fields-dialog.tsx')).RequiredFieldsDialog,
}))
const LostDialog = lazy(async () => ({ default: (await import('../deals/lost-dialog.tsx')).LostDialog }))

type Records = readonly ActionRecord[]

/**
 * What can be done with one record or with all that are selected. Nothing is done if the member may not change one of
 * them: a message says why.
 */
export interface RecordActions {
  /** How many records of a running change are done. */
  readonly progress: string | undefined
  moveTo(deals: Records, stage: StageReference): void
  chooseStage(deals: Records): void
  finish(deals: Records, type: 'win' | 'lost'): void
  chooseOwner(records: Records): void
  chooseTag(records: Records): void
  chooseList(records: Records): void
  /** Gives a field of all the same value. */
  chooseField(records: Records): void
  removeLabel(record: ActionRecord, field: LabelEdit['field'], label: LabelEdit['label']): void
  addTask(record: ActionRecord): void
  /** Says who sees a record, and with whom it is shared. */
  share(record: ActionRecord): void
  remove(records: Records, onRemoved?: () => void): void
}

export function useRecordActions(kind: Kind, selection?: SelectedRecords): RecordActions {
  const { show, openCreate } = useShell()
  const change = useRecordsChange(kind, selection)
  const { progress, move, setOwner, setLabel, setFields, setCustomValue, remove } = change
  const subjectOf = useSubject()
  const openShares = useShareDialog(kind)
  const ifChangeable = useCheck(kind, explainReadOnly)
  const ifAssignable = useCheck(kind, explainUnassignable)
  const ifDeletable = useCheck(kind, explainUndeletable)
  return {
    progress,
    ...useStageActions(move),
    chooseOwner: ifAssignable((records) =>
      show((close) => (
        <OwnerDialog
          subject={subjectOf(records)}
          kind={kind}
          records={records}
          currentId={records.length === 1 ? records[0]?.owner?.id : undefined}
          choose={(owner) =>
            setOwner(
              records.filter((record) => record.owner?.id !== owner?.id),
              owner,
            )
          }
          close={close}
        />
      )),
    ),
    chooseTag: ifChangeable((records) =>
      show((close) => (
        <TagDialog
          subject={subjectOf(records)}
          choose={(label) => setLabel(records, { field: 'tags', label, isWanted: true })}
          close={close}
        />
      )),
    ),
    chooseList: ifChangeable((records) =>
      show((close) => (
        <ListDialog
          subject={subjectOf(records)}
          choose={(label) => setLabel(records, { field: 'lists', label, isWanted: true })}
          close={close}
        />
      )),
    ),
    chooseField: ifChangeable((records) =>
      show((close) => (
        <FieldDialog
          {...{ subject: subjectOf(records), kind, close }}
          save={(shared) =>
            'fields' in shared
              ? setFields(records, shared.fields)
              : setCustomValue(records, shared.customField, shared.value)
          }
        />
      )),
    ),
    removeLabel: (record, field, label) => setLabel([record], { field, label, isWanted: false }),
    addTask: (record) => openCreate('tasks', defaultsFor(kind, record)),
    share: (record) => openShares(record, recordName(record)),
    remove: ifDeletable(remove),
  }
}

type RecordsAction<Details extends readonly unknown[]> = (records: Records, ...details: Details) => void

/** Returns what makes an action say the reason instead, if there is one. */
function useCheck(kind: Kind, explain: typeof explainReadOnly) {
  const console = useConsole()
  return <Details extends readonly unknown[]>(act: RecordsAction<Details>): RecordsAction<Details> =>
    (records, ...details) => {
      const reason = explain(console, kind, records)
      if (reason === undefined) act(records, ...details)
      else showReason(reason)
    }
}

/** Moves deals between stages. Asks for what the stage requires, and why a deal was lost. */
function useStageActions(
  move: ReturnType<typeof useRecordsChange>['move'],
): Pick<RecordActions, 'moveTo' | 'chooseStage' | 'finish'> {
  const { show } = useShell()
  const stagesOf = useStages()
  const findSettings = useFindStageSettings()
  const subjectOf = useSubject()
  const ifChangeable = useCheck('deals', explainReadOnly)

  const moveTo = ifChangeable((deals, stage: StageReference) => {
    const moved = deals.filter((deal) => deal.stage?.id !== stage.id)
    const [first] = moved
    if (!first) return
    const { required_fields: required } = findSettings(stage.id)
    const missing = moved.length === 1 ? findMissing(required, first) : []
    const finish = (edit?: FieldEdit) => finishMove(moved, stage, required, edit)
    if (missing.length === 0) finish()
    else
      show((close) => (
        <RequiredFieldsDialog deal={first} stage={stage} missing={missing} move={finish} close={close} />
      ))
  })
  /** Asks why the deals were lost, if they are now. */
  function finishMove(moved: Records, stage: StageReference, required: readonly string[], edit?: FieldEdit) {
    const isLoss = stage.type === 'lost' && moved.some((deal) => deal.stage?.type !== 'lost')
    if (!isLoss) return move(moved, stage, edit)
    show((close) => (
      <LostDialog
        subject={subjectOf(moved)}
        required={required.filter((name) => name.startsWith('lost_'))}
        lose={(loss) =>
          move(moved, stage, {
            changes: { ...edit?.changes, ...toLossInput(loss) },
            shown: { ...edit?.shown, ...toLossView(loss) },
          })
        }
        close={close}
      />
    ))
  }
  return {
    moveTo,
    chooseStage: ifChangeable((deals) =>
      show((close) => (
        <StageDialog
          subject={subjectOf(deals)}
          stages={stagesOf(deals)}
          currentId={deals.length === 1 ? deals[0]?.stage?.id : undefined}
          choose={(stage) => moveTo(deals, stage)}
          close={close}
        />
      )),
    ),
    finish(deals, type) {
      const stage = stagesOf(deals).find((each) => each.type === type)
      if (stage) moveTo(deals, stage)
    },
  }
}

/** Returns the name of one record, or the number of several. */
function useSubject(): (records: Records) => string {
  const { texts } = useConsole()
  return (records) =>
    records.length === 1 && records[0] ? recordName(records[0]) : texts.tables.selected(records.length)
}

/** Returns the stages to which deals of one pipeline can be moved. */
function useStages(): (deals: Records) => readonly StageReference[] {
  const pipelines = useMenu('pipelines')
  return ([deal]) => pipelines.data?.find(({ id }) => id === deal?.pipeline?.id)?.stages ?? []
}
