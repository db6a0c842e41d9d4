import { useConsole } from '../../app/console-context.ts'
import { sortAmounts } from '../../format/money.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Check } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './group-row.module.css'
import { useGroupTexts } from './texts.ts'
import type { GroupHead } from './use-groups.ts'

interface GroupRowProps {
  /** Index of the line. */
  readonly index: number
  readonly group: GroupHead
  readonly columns: number
  readonly isTabStop: boolean
  readonly isSelected: boolean
  readonly select: (isSelected: boolean) => void
  readonly focus: (index: number) => void
  readonly fold: (isFolded: boolean) => void
}

/** The head of a group: its name, how many rows it has, and the sums of their amounts. */
export function GroupRow({
  index,
  group,
  columns,
  isTabStop,
  isSelected,
  select,
  focus,
  fold,
}: GroupRowProps) {
  const { texts, workspace, formatAmount } = useConsole()
  const groupTexts = useGroupTexts()
  const { label, count, isFolded, owner, sums } = group
  return (
    <tr class={styles.group} aria-rowindex={index + 2} data-row={index} onFocusIn={() => focus(index)}>
      <td>
        <Check
          label={groupTexts.select(count, label)}
          checked={isSelected}
          change={select}
          tabIndex={isTabStop ? 0 : -1}
        />
      </td>
      <th scope="row" colSpan={columns}>
        <span class={styles.content}>
          <button
            type="button"
            class={styles.head}
            aria-expanded={!isFolded}
            tabIndex={isTabStop ? 0 : -1}
            onClick={() => fold(!isFolded)}
          >
            <Icon name={isFolded ? 'right' : 'down'} small />
            {owner && <Avatar of={owner} label="" />}
            {label}
            <span class={styles.count}>{count.toLocaleString(texts.language)}</span>
          </button>
          {sortAmounts(sums, workspace.currency).map((sum) => (
            <data key={sum.currency} class={styles.sum}>
              {formatAmount(sum)}
            </data>
          ))}
        </span>
      </th>
    </tr>
  )
}
