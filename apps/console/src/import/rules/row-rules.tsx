import type { Import } from '@sales-crm/client'
import { useId, useState } from 'preact/hooks'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { canAssign } from '../../app/permissions.ts'
import { useMenu } from '../../reference/queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { Check, Field, Input, Select } from '../../ui/field.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { useImportTexts } from '../texts/texts.ts'
import own from './rules.module.css'
import type { RulesProps } from './rules-props.ts'

/** What holds for the records of all rows. */
export function RowRules({ opened, update }: RulesProps) {
  const { me } = useConsole()
  const { rules } = useImportTexts()
  const members = useMenu('members')
  const assignable = (members.data ?? []).filter((member) => canAssign(me, member, 'people'))
  const mayKeep = isAdmin(me) && me.scopes.includes('imports:manage')
  return (
    <section aria-label={rules.every} class={styles.block}>
      <h2>{rules.every}</h2>
      <div class={styles.additions}>
        <Field label={rules.owner}>
          {(ids) => (
            <Select
              {...ids}
              value={opened.owner?.email ?? ''}
              change={(email) => update({ owner_email: email || null })}
            >
              <option value="">{rules.nobody}</option>
              {assignable.map(({ id, name, email }) => (
                <option key={id} value={email}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TagsField opened={opened} update={update} />
        <ListField opened={opened} update={update} />
        <Field label={rules.events}>
          {(ids) => (
            <Select
              {...ids}
              value={opened.events}
              change={(events) => update({ events: events as Import['events'] })}
            >
              {Object.entries(rules.eventModes).map(([mode, label]) => (
                <option key={mode} value={mode}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the component. */}
      <label class={styles.checkLine}>
        <Check
          label={rules.keepHistory}
          checked={opened.keep_history}
          change={(keep_history) => update({ keep_history })}
          {...(!mayKeep && { disabledReason: rules.adminsOnly })}
        />
        <span>
          {rules.keepHistory} <span class={text.soft}>{rules.adminsOnly}</span>
        </span>
      </label>
    </section>
  )
}

function TagsField({ opened, update }: RulesProps) {
  const { rules } = useImportTexts()
  const tags = useMenu('tags')
  const [typed, setTyped] = useState('')
  const listId = useId()
  const add = () => {
    const name = typed.trim()
    setTyped('')
    if (name !== '' && !opened.tags.includes(name)) update({ tags: [...opened.tags, name] })
  }
  return (
    <div class={own.tagsField}>
      <Field label={rules.tags} hint={rules.madeIfMissing}>
        {(ids) => (
          <Input
            {...ids}
            {...({ list: listId } as object)}
            placeholder={rules.addTag}
            maxLength={60}
            value={typed}
            change={setTyped}
            onBlur={add}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
              event.preventDefault()
              add()
            }}
          />
        )}
      </Field>
      <datalist id={listId}>
        {(tags.data ?? []).map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      {opened.tags.length > 0 && (
        <ul class={own.tags}>
          {opened.tags.map((name) => (
            <li key={name}>
              {name}
              <IconButton
                small
                icon="x"
                label={rules.removeTag(name)}
                onClick={() => update({ tags: opened.tags.filter((each) => each !== name) })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function ListField({ opened, update }: RulesProps) {
  const { rules } = useImportTexts()
  const lists = useMenu('lists')
  const [typed, setTyped] = useState(opened.list ?? '')
  const listId = useId()
  const save = () => {
    const name = typed.trim() || null
    if (name !== opened.list) update({ list: name })
  }
  return (
    <div>
      <Field label={rules.list} hint={rules.madeIfMissing}>
        {(ids) => (
          <Input
            {...ids}
            {...({ list: listId } as object)}
            maxLength={80}
            value={typed}
            change={setTyped}
            onBlur={save}
          />
        )}
      </Field>
      <datalist id={listId}>
        {(lists.data ?? []).map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </div>
  )
}
