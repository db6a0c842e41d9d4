import { useMemo } from 'preact/hooks'
import { classNames } from '../../ui/class-names.ts'
import { Check } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import text from '../../ui/text.module.css'
import { matchColumns } from '../columns/match-columns.ts'
import { listTargets } from '../columns/target.ts'
import styles from '../import.module.css'
import { correctProblem } from '../rows/problem.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'
import { ColumnRow } from './column-row.tsx'
import { ProblemList } from './problem-list.tsx'
import { StepFoot } from './step-foot.tsx'
import { StepHeading } from './step-heading.tsx'

interface ColumnsStepProps {
  readonly session: ImportSession
  readonly goBack: () => void
  readonly goOn: () => void
}

/** Says what each column becomes, and which rows cannot be brought in. */
export function ColumnsStep({ session, goBack, goOn }: ColumnsStepProps) {
  const texts = useImportTexts()
  const { columns, problems, settings, plan, change } = session
  const hasName = columns.some((target) => target?.kind === 'fullName' || target?.kind === 'firstName')
  const ready = plan.rows.length
  return (
    <>
      <div class={styles.split}>
        <ColumnsTable session={session} />
        <ProblemList
          session={session}
          problems={problems}
          leaveBlankLabel={texts.problems.leaveBlank}
          correct={(problem, value) =>
            change({ corrections: correctProblem(settings.corrections, problem, value) })
          }
        />
      </div>
      <StepFoot
        back={{ label: texts.step.file, run: goBack }}
        next={{ label: texts.columns.next(ready), isReady: hasName && ready > 0, run: goOn }}
      >
        {hasName ? texts.columns.ready(ready, plan.leftOut) : texts.columns.noName}
      </StepFoot>
    </>
  )
}

function ColumnsTable({ session }: { readonly session: ImportSession }) {
  const texts = useImportTexts()
  const { kind, file, sheet, names, settings, change } = session
  const { columns } = texts
  const { heads, rows, delimiter } = sheet
  const matched = useMemo(
    () => matchColumns(heads, kind, listTargets(kind, names.fields)).filter((id) => id !== undefined).length,
    [heads, kind, names.fields],
  )
  const separator = columns.separators[delimiter] ?? delimiter
  return (
    <section class={styles.part} aria-label={columns.table}>
      <div class={styles.blockHead}>
        <StepHeading>{file.name}</StepHeading>
        <span class={text.count}>{columns.size(rows.length, heads.length)}</span>
        <span class={classNames(text.push, text.small, text.soft, text.deskOnly)}>
          {columns.separatedBy(file.encoding, separator)}
        </span>
      </div>
      <Notice>{columns.matched(matched, heads.length)}</Notice>
      <RequiredNotice session={session} />
      <table class={classNames(styles.table, styles.columns)} aria-label={columns.table}>
        <thead>
          <tr>
            <th scope="col">{columns.head}</th>
            <th scope="col">{columns.samples}</th>
            <td />
            <th scope="col">{columns.becomes}</th>
            <th scope="col">{columns.result}</th>
          </tr>
        </thead>
        <tbody>
          {heads.map((_, column) => (
            <ColumnRow key={column} session={session} column={column} />
          ))}
        </tbody>
      </table>
      <UpdateCheck kind={kind} updates={settings.updates} change={(updates) => change({ updates })} />
    </section>
  )
}

/** Names the fields that the service will miss. */
function RequiredNotice({ session: { names, columns } }: Pick<ColumnsStepProps, 'session'>) {
  const texts = useImportTexts()
  const missing = names.fields.filter(
    ({ key, required }) =>
      required && !columns.some((target) => target && 'field' in target && target.field.key === key),
  )
  if (missing.length === 0) return null
  const labels = missing.map(({ label }) => label).join(', ')
  return <Notice kind="caution">{texts.columns.required(labels)}</Notice>
}

interface UpdateCheckProps {
  readonly updates: boolean
  readonly change: (updates: boolean) => void
  readonly kind: ImportSession['kind']
}

function UpdateCheck({ updates, change, kind }: UpdateCheckProps) {
  const { columns } = useImportTexts()
  const label = columns.update[kind]
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the component.
    <label class={styles.update}>
      <Check label={label} checked={updates} change={change} />
      {label}
    </label>
  )
}
