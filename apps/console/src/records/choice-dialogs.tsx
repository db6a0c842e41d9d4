import type { List, Owner, StageReference, Tag } from '@sales-crm/client'
import { foldText } from '@sales-crm/core/browser'
import { useState } from 'preact/hooks'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { canAssign } from '../app/permissions.ts'
import { explainError } from '../cache/explain-error.ts'
import { findMatch } from '../format/find-match.ts'
import { collapseSpaces } from '../format/typed-text.ts'
import { useMenu } from '../reference/queries.ts'
import { stagePlace } from '../reference/stage-place.ts'
import { Avatar } from '../ui/avatar.tsx'
import chip from '../ui/chip.module.css'
import { type Command, CommandDialog } from '../ui/command-dialog.tsx'
import { Gauge } from '../ui/gauge.tsx'
import { showError } from '../ui/toasts.tsx'
import type { ActionRecord } from './edit-records.ts'
import type { CreatableKind } from './kinds.ts'

const NEW_TAG_COLOUR = '#64748b'

interface ChoiceDialogProps<Choice> {
  /** What is changed: the name of a record, or the number of them. */
  readonly subject: string
  readonly choose: (choice: Choice) => void
  readonly close: () => void
}

interface StageDialogProps extends ChoiceDialogProps<StageReference> {
  readonly stages: readonly StageReference[]
  readonly currentId: string | undefined
}

/** Chooses a stage: `M` and its name. */
export function StageDialog({ subject, stages, currentId, choose, close }: StageDialogProps) {
  const { texts } = useConsole()
  return (
    <ChoiceDialog
      title={`${texts.deals.chooseStage}: ${subject}`}
      placeholder={texts.labels.stage}
      choices={stages.map((stage) => ({
        id: stage.id,
        label: stage.name,
        mark: <Gauge {...stagePlace(stage, stages)} />,
        isChecked: stage.id === currentId,
        run: () => choose(stage),
      }))}
      close={close}
    />
  )
}

interface OwnerDialogProps extends ChoiceDialogProps<Owner | null> {
  readonly kind: CreatableKind
  readonly records: readonly ActionRecord[]
  readonly currentId: string | undefined
}

/** Chooses among the members whom the user may make the owner. */
export function OwnerDialog({ subject, kind, records, currentId, choose, close }: OwnerDialogProps) {
  const { me, texts } = useConsole()
  const members = useMenu('members')
  const assignable = (members.data ?? []).filter((member) => canAssign(me, member, kind, records))
  return (
    <ChoiceDialog
      title={`${texts.labels.owner}: ${subject}`}
      placeholder={texts.labels.owner}
      choices={[
        ...assignable.map(({ id, name, email }) => ({
          id,
          label: name,
          detail: email,
          mark: <Avatar of={{ id, name }} />,
          isChecked: id === currentId,
          run: () => choose({ id, name, email }),
        })),
        ...(canAssign(me, null, kind, records)
          ? [{ id: '', label: texts.deals.noOwner, mark: <Avatar of={undefined} />, run: () => choose(null) }]
          : []),
      ]}
      close={close}
    />
  )
}

export function TagDialog({ subject, choose, close }: ChoiceDialogProps<Tag>) {
  const { crm, me, texts } = useConsole()
  const tags = useMenu('tags')
  const create = async (name: string) => choose(await crm.tags.create({ name, color: NEW_TAG_COLOUR }))
  return (
    <ChoiceDialog
      title={`${texts.record.addTag}: ${subject}`}
      placeholder={texts.record.addTag}
      choices={(tags.data ?? []).map((tag) => ({
        id: tag.id,
        label: tag.name,
        mark: <i class={chip.dot} style={{ '--colour': tag.color }} aria-hidden="true" />,
        run: () => choose(tag),
      }))}
      create={isAdmin(me) ? { label: texts.record.newTag, run: create } : undefined}
      close={close}
    />
  )
}

export function ListDialog({ subject, choose, close }: ChoiceDialogProps<List>) {
  const { texts } = useConsole()
  const lists = useMenu('lists')
  return (
    <ChoiceDialog
      title={`${texts.record.addList}: ${subject}`}
      placeholder={texts.record.addList}
      choices={(lists.data ?? []).map((list) => ({
        id: list.id,
        icon: 'list' as const,
        label: list.name,
        run: () => choose(list),
      }))}
      close={close}
    />
  )
}

interface FrameProps {
  readonly title: string
  readonly placeholder: string
  readonly choices: readonly Command[]
  /** Makes what is typed a new choice. */
  readonly create?: { readonly label: string; readonly run: (name: string) => Promise<void> } | undefined
  readonly close: () => void
}

function ChoiceDialog({ title, placeholder, choices, create, close }: FrameProps) {
  const { texts } = useConsole()
  const [typed, setTyped] = useState('')
  const name = collapseSpaces(typed)
  const found = name === '' ? [...choices] : choices.filter(({ label }) => findMatch(label, name))
  if (create && name !== '' && !found.some(({ label }) => foldText(label) === foldText(name)))
    found.push({
      id: 'new',
      icon: 'plus',
      label: texts.create.named(create.label, name),
      run: () =>
        void create.run(name).catch((error) => showError(texts.errors.notSaved(explainError(error, texts)))),
    })
  return (
    <CommandDialog
      title={title}
      placeholder={placeholder}
      noneText={texts.palette.nothing}
      closeLabel={texts.actions.close}
      typed={typed}
      type={setTyped}
      groups={found.length > 0 ? [{ items: found }] : []}
      close={close}
    />
  )
}
