import type { Deal, Person } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { collapseSpaces } from '../../format/typed-text.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import text from '../../ui/text.module.css'
import { showError } from '../../ui/toasts.tsx'
import { InlineText } from '../facts/inline-text.tsx'
import { useIsReadOnly } from '../read-only.tsx'
import page from '../record-page.module.css'
import { type PickedRecord, RecordPicker } from '../record-picker.tsx'
import { useRecordUpdate } from '../use-record-update.ts'
import { findOrCreateContact } from '../write-record.ts'
import { type LinkEntry, type LinkList, readEntries, toEdit } from './link-list.ts'
import styles from './link-list-block.module.css'
import { useLinkListTexts } from './link-list-texts.ts'

/** Of roles and positions. */
const MAX_LENGTH = { role: 60, position: 120 }
const ROLE_LIST_ID = 'deal-roles'

interface LinkListBlockProps {
  readonly list: LinkList
  readonly record: Deal | Person
}

/** The people on a deal with their roles, or the companies of a person with the positions there. */
export function LinkListBlock({ list, record }: LinkListBlockProps) {
  const { crm, texts } = useConsole()
  const words = useLinkListTexts()
  const update = useRecordUpdate()
  const isReadOnly = useIsReadOnly()
  const [isAdding, setIsAdding] = useState(false)
  const { entries, hidden } = readEntries(list, record)
  // The main company of a person stands among the details.
  const shown = list.kind === 'people' ? entries.filter(({ isMain }) => !isMain) : entries
  const title = list.kind === 'people' ? words.otherCompanies : texts.labels.people
  const addLabel = list.name === 'people' ? words.addPeople : words.addCompanies

  function save(next: readonly LinkEntry[], onError?: (error: unknown) => void): void {
    update({
      ...{ kind: list.kind, id: record.id, label: title },
      ...{ to: toEdit(list, record, next), from: toEdit(list, record, entries) },
      ...(onError && { onError }),
    })
  }

  async function add(picked: PickedRecord | null): Promise<void> {
    setIsAdding(false)
    if (!picked || entries.some(({ id }) => id === picked.id)) return
    const company = list.name === 'people' && 'company' in record ? record.company?.id : undefined
    try {
      const id = await findOrCreateContact(crm, picked, company)
      save([...entries, { id, name: picked.name, role: null, isMain: false }])
    } catch (error) {
      showError(texts.errors.notSaved(explainError(error, texts)))
    }
  }

  return (
    <section class={styles.block} aria-label={title}>
      <div class={page.blockHead}>
        <h2>
          {title} <span class={text.count}>{shown.length + hidden || ''}</span>
        </h2>
        {!isReadOnly && (
          <IconButton
            small
            icon="plus"
            class={text.push}
            label={addLabel}
            onClick={() => setIsAdding(true)}
          />
        )}
      </div>
      <ul class={styles.list}>
        {shown.map((entry) => (
          <LinkRow key={entry.id} list={list} entry={entry} entries={entries} save={save} />
        ))}
        {hidden > 0 && <li class={text.soft}>{words.hidden(hidden)}</li>}
      </ul>
      {isAdding && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Esc leaves the field inside.
        <div onKeyDown={({ key }) => key === 'Escape' && setIsAdding(false)}>
          <RecordPicker
            small
            autoFocus
            ids={{ 'aria-label': addLabel }}
            kinds={[list.name]}
            creates={[list.name]}
            picked={null}
            pick={(picked) => void add(picked)}
          />
        </div>
      )}
      {list.role === 'role' && (
        <datalist id={ROLE_LIST_ID}>
          {words.roles.map((role) => (
            <option key={role} value={role} />
          ))}
        </datalist>
      )}
    </section>
  )
}

interface LinkRowProps {
  readonly list: LinkList
  readonly entry: LinkEntry
  readonly entries: readonly LinkEntry[]
  readonly save: (next: readonly LinkEntry[], onError?: (error: unknown) => void) => void
}

function LinkRow({ list, entry, entries, save }: LinkRowProps) {
  const { texts } = useConsole()
  const words = useLinkListTexts()
  const isReadOnly = useIsReadOnly()
  const { id, name, role, isMain } = entry
  const others = entries.filter((each) => each !== entry)
  const [next] = others
  const actions: MenuAction[] = [
    ...(isMain
      ? []
      : [
          {
            label: words.makeMain,
            select: () => save(entries.map((each) => ({ ...each, isMain: each === entry }))),
          },
        ]),
    {
      ...{ label: isMain && next ? words.removeFor(next.name) : words.remove, isRisky: true },
      select: () => save(others),
    },
  ]
  return (
    <li class={styles.row}>
      <Avatar of={{ id, name }} label="" />
      <div class={styles.words}>
        <Link class={classNames(text.plain, text.cut)} href={`/${list.name}/${id}`}>
          <strong>{name}</strong>
        </Link>
        <InlineText
          label={list.role === 'role' ? words.role(name) : words.position(name)}
          addText={list.role === 'role' ? words.addRole : words.addPosition}
          display={role ?? undefined}
          text={role ?? ''}
          {...(list.role === 'role' && { suggestions: ROLE_LIST_ID })}
          save={(typed, reopen) => {
            const value = collapseSpaces(typed).trim()
            const max = MAX_LENGTH[list.role]
            if ([...value].length > max) return words.tooLong(max)
            const changed = { ...entry, role: value === '' ? null : value }
            if (changed.role !== role)
              save(
                entries.map((each) => (each === entry ? changed : each)),
                (error) => reopen(explainError(error, texts)),
              )
            return undefined
          }}
        />
      </div>
      {isMain && entries.length > 1 && <span class={styles.main}>{words.main}</span>}
      {!isReadOnly && (
        <Menu
          align="end"
          trigger={<IconButton small icon="dots" label={words.actionsOf(name)} />}
          groups={[{ actions }]}
        />
      )}
    </li>
  )
}
