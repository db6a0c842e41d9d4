import { useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useMenu } from '../../reference/queries.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { DeletionQuestion } from '../frame/deletion-question.tsx'
import { PartPage, partStyles } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import { filterLabels, type Label, type LabelKind, labelCalls, sortLabels, toLabel } from './label.ts'
import { LabelForm } from './label-form.tsx'
import { LabelRow } from './label-row.tsx'

/** Lists, creates, renames and deletes the labels of one kind. */
export function LabelPage({ kind }: { readonly kind: LabelKind }) {
  const { parts, labels } = useSettingsTexts()
  const title = parts[kind.name]
  const texts = labels[kind.name]
  const query = useMenu(kind.name)
  return (
    <PartPage title={title} lead={texts.lead}>
      <LabelForm kind={kind} nameLabel={texts.add} />
      <PartQuery query={query}>
        {(all) =>
          all.length === 0 ? (
            <p class={partStyles.empty}>{texts.empty}</p>
          ) : (
            <LabelRows
              title={title}
              kind={kind}
              labels={all.map((record) => toLabel(kind, record, labels.records))}
              deleteText={texts.deleteText}
            />
          )
        }
      </PartQuery>
    </PartPage>
  )
}

/** More labels than these have a search. */
const MANY = 15

interface LabelRowsProps {
  readonly title: string
  readonly kind: LabelKind
  readonly labels: readonly Label[]
  readonly deleteText: string
}

function LabelRows({ title, kind, labels, deleteText }: LabelRowsProps) {
  const { texts } = useConsole()
  const [search, setSearch] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const [deletedId, setDeletedId] = useState<string>()
  const deleted = labels.find(({ id }) => id === deletedId)
  const found = filterLabels(sortLabels(labels, texts.language), search)
  const place = found.findIndex(({ id }) => id === deletedId)
  const next = found[place + 1] ?? found[place - 1]
  const focusNext = () =>
    setTimeout(() => frame.current?.querySelector<HTMLElement>(`[data-deletion="${next?.id}"]`)?.focus())
  return (
    <div ref={frame}>
      {labels.length > MANY && (
        <p class={partStyles.text}>
          <SearchField label={texts.tables.search(title)} value={search} change={setSearch} />
        </p>
      )}
      {found.length === 0 && <p class={partStyles.empty}>{texts.tables.noneFound}</p>}
      {found.length > 0 && (
        <ul class={partStyles.rows} aria-label={title}>
          {found.map((label) => (
            <LabelRow key={label.id} kind={kind} label={label} askDeletion={() => setDeletedId(label.id)} />
          ))}
        </ul>
      )}
      {deleted && (
        <LabelDeletion
          kind={kind}
          label={deleted}
          text={deleteText}
          close={() => setDeletedId(undefined)}
          onDone={() => {
            setDeletedId(undefined)
            focusNext()
          }}
        />
      )}
    </div>
  )
}

interface LabelDeletionProps {
  readonly kind: LabelKind
  readonly label: Label
  readonly text: string
  readonly close: () => void
  readonly onDone: () => void
}

function LabelDeletion({ kind, label, text, close, onDone }: LabelDeletionProps) {
  const { crm } = useConsole()
  return (
    <DeletionQuestion
      id={label.id}
      name={label.name}
      send={() => labelCalls(crm, kind).delete(label.id)}
      onDone={onDone}
      close={close}
    >
      {text}
    </DeletionQuestion>
  )
}
