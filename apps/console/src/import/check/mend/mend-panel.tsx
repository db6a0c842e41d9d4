import type { Import, ProblemGroup } from '@sales-crm/client'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { isAdmin, useConsole } from '../../../app/console-context.ts'
import { InviteDialog } from '../../../settings/members/invite-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { Check, Select } from '../../../ui/field.tsx'
import text from '../../../ui/text.module.css'
import styles from '../../import.module.css'
import { useImportTexts } from '../../texts/texts.ts'
import own from './mend.module.css'
import { hasChoices, type MendChoice, useMendChoices } from './mend-choices.ts'
import type { Mend } from './use-mend.ts'

/** The service counts so many distinct values. */
const MAX_VALUES = 50

/** No text in the cell helps, or none at all. */
const CODES_WITHOUT_REMEDY = new Set<ProblemGroup['code']>(['repeated', 'taken', 'forbidden'])

/** The index of the column whose cells can be mended; undefined if there is none. */
export function findMendableColumn(
  { columns }: Pick<Import, 'columns'>,
  { kind, column, code }: ProblemGroup,
): number | undefined {
  if (column === '' || CODES_WITHOUT_REMEDY.has(code)) return undefined
  // A task names a record of another kind.
  const index = columns.findIndex(
    ({ name, target }) => name === column && target && (target.kind === kind || code === 'unknown_record'),
  )
  return index < 0 ? undefined : index
}

interface MendPanelProps {
  readonly opened: Pick<Import, 'columns'>
  readonly problem: ProblemGroup
  /** The index of the column. */
  readonly column: number
  readonly mend: Mend
}

/** What the cells of a problem shall be: a choice for each value, or nothing for all of them. */
export function MendPanel({ opened, problem, column, mend }: MendPanelProps) {
  const { check } = useImportTexts()
  const { me } = useConsole()
  const listChoices = useMendChoices()
  const { name, target, if_invalid } = opened.columns[column]!
  const choices = target && hasChoices(problem) ? listChoices(target) : []
  const values = choices.length === 0 ? [] : problem.values
  const canInvite = problem.code === 'unknown_owner' && isAdmin(me)
  const [invited, setInvited] = useState<string>()
  const mode = mend.draft.get(column)?.if_invalid ?? if_invalid
  const blank = check.mend.blank(name)
  return (
    <section class={own.mend} aria-label={check.mend.title}>
      {values.length > 0 && (
        <ul class={own.values}>
          {values.map((each) => (
            <ValueRow key={each.value} {...each} column={column} mend={mend} choices={choices}>
              {canInvite && (
                <Button
                  small
                  icon="plus"
                  aria-haspopup="dialog"
                  aria-label={check.mend.inviteOne(each.value)}
                  onClick={() => setInvited(each.value)}
                >
                  {check.mend.invite}
                </Button>
              )}
            </ValueRow>
          ))}
        </ul>
      )}
      {values.length === MAX_VALUES && <p class={text.soft}>{check.mend.more}</p>}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the component. */}
      <label class={styles.checkLine}>
        <Check
          label={blank}
          checked={mode === 'blank'}
          change={(isBlank) => mend.setInvalid(column, isBlank ? 'blank' : 'refuse')}
        />
        <span>{blank}</span>
      </label>
      <div>
        <Button icon="refresh" aria-disabled={mend.isPending} onClick={() => mend.isPending || mend.apply()}>
          {check.mend.apply(mend.count)}
        </Button>
      </div>
      {invited !== undefined && (
        <InviteDialog address={invited.includes('@') ? invited : ''} close={() => setInvited(undefined)} />
      )}
    </section>
  )
}

interface ValueRowProps {
  readonly value: string
  readonly count: number
  readonly column: number
  readonly mend: Mend
  readonly choices: readonly MendChoice[]
  readonly children: ComponentChildren
}

const [NOT_CHOSEN, EMPTY] = ['', 'empty']

function ValueRow({ value, count, column, mend, choices, children }: ValueRowProps) {
  const texts = useImportTexts()
  const { mend: words } = texts.check
  const id = useId()
  const chosen = mend.draft.get(column)?.choices.get(value)
  const index = choices.findIndex(({ text }) => text === chosen)
  const choose = (option: string) => {
    if (option === NOT_CHOSEN) mend.choose(column, value, undefined)
    else mend.choose(column, value, option === EMPTY ? null : choices[Number(option)]!.text)
  }
  return (
    <li>
      <label for={id}>
        <span class={own.value}>{words.becomes(value)}</span>
        <span class={text.count}>{texts.rows(count)}</span>
      </label>
      <span class={own.choice}>
        <Select
          small
          id={id}
          value={chosen === null ? EMPTY : index < 0 ? NOT_CHOSEN : String(index)}
          change={choose}
        >
          <option value={NOT_CHOSEN}>{words.choose}</option>
          <option value={EMPTY}>{words.empty}</option>
          <Choices choices={choices} />
        </Select>
        {children}
      </span>
    </li>
  )
}

/** Options by their indexes, in the groups that they have. */
function Choices({ choices }: Pick<ValueRowProps, 'choices'>) {
  const groups = Map.groupBy(choices.entries(), ([, { group }]) => group)
  return [...groups].map(([group, entries]) => {
    const options = entries.map(([index, { label }]) => (
      <option key={index} value={index}>
        {label}
      </option>
    ))
    return group === undefined ? (
      options
    ) : (
      <optgroup key={group} label={group}>
        {options}
      </optgroup>
    )
  })
}
