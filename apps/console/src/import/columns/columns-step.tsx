import type { CustomField, Import } from '@sales-crm/client'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useMenu } from '../../reference/queries.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import text from '../../ui/text.module.css'
import { IMPORT_KINDS, type ImportKind } from '../can-import.ts'
import styles from '../import.module.css'
import { KIND_ICONS } from '../kind-icons.ts'
import { useImportUpdate } from '../queries.ts'
import { ReadingForm } from '../reading/reading-form.tsx'
import type { StepName } from '../steps/find-step.ts'
import { StepFoot } from '../steps/step-foot.tsx'
import { StepHeading } from '../steps/step-heading.tsx'
import { useImportTexts } from '../texts/texts.ts'
import { ColumnRow } from './column-row.tsx'
import own from './columns.module.css'
import { type ColumnGroup, groupColumns } from './group-columns.ts'
import { markReason } from './reason.ts'
import { isRepeatable, listTargetGroups, targetId } from './target.ts'

interface ColumnsStepProps {
  readonly opened: Import
  readonly goTo: (step: StepName) => void
}

/** Says what each column becomes, and why. */
export function ColumnsStep({ opened, goTo }: ColumnsStepProps) {
  const texts = useImportTexts()
  const fields = useMenu('customFields')
  const isReady = opened.columns.some(({ target }) => target !== null)
  const doubts = opened.columns.filter((column) => markReason(column) === 'alert').length
  return (
    <>
      <div class={styles.scroll}>
        <div class={styles.widePage}>
          <FileLine opened={opened} />
          <Summary opened={opened} />
          {fields.data && <ColumnsTable opened={opened} fields={fields.data} />}
        </div>
      </div>
      <StepFoot next={{ label: texts.step.rules, isReady, run: () => goTo('rules') }}>
        {isReady ? doubts > 0 && texts.columns.look(doubts) : texts.columns.none}
      </StepFoot>
    </>
  )
}

/** The name of the file, and how it is read. */
function FileLine({ opened }: Pick<ColumnsStepProps, 'opened'>) {
  const { columns, reading } = useImportTexts()
  const [isOpen, setIsOpen] = useState(false)
  const { encoding, is_encoding_guess, delimiter } = opened
  const parts = [
    encoding && `${reading.encodings[encoding]}${is_encoding_guess ? ` (${reading.isGuess})` : ''}`,
    delimiter && reading.delimiters[delimiter],
  ].filter(Boolean)
  return (
    <div class={styles.blockHead}>
      <StepHeading>{opened.name}</StepHeading>
      <span class={text.count}>{columns.size(opened.rows ?? 0, opened.columns.length)}</span>
      <span class={classNames(text.push, text.small, text.soft, text.deskOnly)}>{parts.join(' · ')}</span>
      <Button small look="quiet" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {reading.change}
      </Button>
      {isOpen && (
        <Dialog title={reading.change} close={() => setIsOpen(false)}>
          <ReadingForm opened={opened} onSent={() => setIsOpen(false)} />
        </Dialog>
      )}
    </div>
  )
}

function Summary({ opened }: Pick<ColumnsStepProps, 'opened'>) {
  const { columns } = useImportTexts()
  const set = opened.columns.filter(({ target }) => target !== null).length
  return (
    <Notice>
      {opened.system && `${columns.system(opened.system)} `}
      {columns.set(set, opened.columns.length)}
    </Notice>
  )
}

interface ColumnsTableProps {
  readonly opened: Import
  readonly fields: readonly CustomField[]
}

function ColumnsTable({ opened, fields }: ColumnsTableProps) {
  const texts = useImportTexts()
  const groups = useMemo(() => listTargetGroups(fields), [fields])
  const update = useImportUpdate(opened.id)
  /** The column that was changed last: its row moves to another group, and keeps the focus. */
  const changed = useRef<number>(null)
  const taken = new Map(
    opened.columns.flatMap(({ target }, index) =>
      target && !isRepeatable(target) ? [[targetId(target), index] as const] : [],
    ),
  )
  return (
    <table class={classNames(styles.table, own.columns)} aria-label={texts.columns.table}>
      <thead>
        <tr>
          <th scope="col">{texts.columns.head}</th>
          <th scope="col">{texts.columns.samples}</th>
          <td />
          <th scope="col">{texts.columns.becomes}</th>
          <th scope="col">{texts.columns.why}</th>
        </tr>
      </thead>
      {groupColumns(opened.columns, sortKinds(opened.kinds)).map((group) => (
        <tbody key={group.kind ?? 'left out'}>
          <GroupHead group={group} />
          {group.columns.map(({ index, column }) => (
            <ColumnRow
              key={index}
              index={index}
              column={column}
              columns={opened.columns}
              groups={groups}
              fields={fields}
              taken={taken}
              takesFocus={changed.current === index}
              change={(changes) => {
                changed.current = index
                update({ columns: [{ column: index, ...changes }] })
              }}
            />
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** The kinds of the rows first. Others are there until the service has confirmed a change. */
function sortKinds(kinds: readonly ImportKind[]): readonly ImportKind[] {
  return [...new Set([...kinds, ...IMPORT_KINDS])]
}

function GroupHead({ group }: { readonly group: ColumnGroup }) {
  const { formatNumber } = useConsole()
  const { kind: names, columns } = useImportTexts()
  return (
    <tr class={own.kindRow}>
      <th colSpan={5} scope="colgroup">
        <span>
          <Icon name={group.kind ? KIND_ICONS[group.kind] : 'minus'} />
          <b>{group.kind ? names[group.kind] : columns.leftOut}</b>
          <span class={text.count}>{formatNumber(group.columns.length)}</span>
        </span>
      </th>
    </tr>
  )
}
