import type { List, Owner, StageReference, Tag } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { findMatch } from '../format/find-match.ts'
import { stagePlace } from '../reference/stage-place.ts'
import { useLists } from '../reference/use-lists.ts'
import { useMembers } from '../reference/use-members.ts'
import { useTags } from '../reference/use-tags.ts'
import { Avatar } from '../ui/avatar.tsx'
import chip from '../ui/chip.module.css'
import { type Command, CommandDialog } from '../ui/command-dialog.tsx'
import { Gauge } from '../ui/gauge.tsx'

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

export function OwnerDialog({
  subject,
  currentId,
  choose,
  close,
}: ChoiceDialogProps<Owner | null> & { readonly currentId: string | undefined }) {
  const { texts } = useConsole()
  const members = useMembers()
  return (
    <ChoiceDialog
      title={`${texts.labels.owner}: ${subject}`}
      placeholder={texts.labels.owner}
      choices={[
        ...(members.data ?? []).map(({ id, name, email }) => ({
          id,
          label: name,
          detail: email,
          mark: <Avatar of={{ id, name }} />,
          isChecked: id === currentId,
          run: () => choose({ id, name, email }),
        })),
        { id: '', label: texts.deals.noOwner, mark: <Avatar of={undefined} />, run: () => choose(null) },
      ]}
      close={close}
    />
  )
}

export function TagDialog({ subject, choose, close }: ChoiceDialogProps<Tag>) {
  const { texts } = useConsole()
  const tags = useTags()
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
      close={close}
    />
  )
}

export function ListDialog({ subject, choose, close }: ChoiceDialogProps<List>) {
  const { texts } = useConsole()
  const lists = useLists()
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
  readonly close: () => void
}

function ChoiceDialog({ title, placeholder, choices, close }: FrameProps) {
  const { texts } = useConsole()
  const [typed, setTyped] = useState('')
  const found = typed.trim() === '' ? choices : choices.filter(({ label }) => findMatch(label, typed.trim()))
  return (
    <CommandDialog
      title={title}
      placeholder={placeholder}
      noneText={texts.palette.nothing}
      typed={typed}
      type={setTyped}
      groups={found.length > 0 ? [{ items: found }] : []}
      close={close}
    />
  )
}
