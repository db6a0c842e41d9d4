import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { useMenu } from '../../reference/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { writePace } from '../run/paces.ts'
import type { PlannedRow } from '../run/plan.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'
import { formatDuration } from './duration.ts'
import { Figures } from './figures.tsx'
import { PreviewTable } from './preview-table.tsx'
import { StepFoot } from './step-foot.tsx'
import { StepHeading } from './step-heading.tsx'

interface ReviewStepProps {
  readonly session: ImportSession
  readonly goBack: () => void
  readonly goOn: () => void
}

/** Says what will happen, and shows the first rows as they will be. */
export function ReviewStep({ session, goBack, goOn }: ReviewStepProps) {
  const texts = useImportTexts()
  const { review } = texts
  const { plan, lookup } = session
  const time = formatDuration(writePace.estimateMs(countWrites(plan.rows, plan.newCompanies)) / 1000, texts)
  return (
    <>
      <div class={styles.scroll}>
        <div class={styles.widePage}>
          <StepHeading>{review.title}</StepHeading>
          {lookup.error ? <LookupError session={session} /> : <PlannedFigures session={session} />}
          <AdditionFields session={session} />
          <PreviewTable session={session} />
        </div>
      </div>
      <StepFoot
        back={{ label: texts.step.columns, run: goBack }}
        next={{
          label: review.start(plan.rows.length),
          isReady: lookup.isComplete && plan.rows.length > 0,
          run: goOn,
        }}
      >
        {review.duration(time)}
      </StepFoot>
    </>
  )
}

/** The calls that change something. */
function countWrites(rows: readonly PlannedRow[], newCompanies: number): number {
  return rows.length + newCompanies + rows.filter(({ draft }) => draft.note !== undefined).length
}

function LookupError({ session }: Pick<ReviewStepProps, 'session'>) {
  const { texts: shared } = useConsole()
  const { review } = useImportTexts()
  const { error, retry } = session.lookup
  return (
    <div class={styles.actions}>
      <Notice kind="error">
        {review.lookupFailed} {explainError(error, shared)}
      </Notice>
      <Button icon="refresh" onClick={retry}>
        {shared.actions.retry}
      </Button>
    </div>
  )
}

function PlannedFigures({ session }: Pick<ReviewStepProps, 'session'>) {
  const { review, columns } = useImportTexts()
  const { kind, plan, lookup } = session
  if (!lookup.isComplete) return <p class={text.soft}>{columns.lookingFor(lookup.done, lookup.total)}</p>
  return (
    <>
      <Figures
        figures={[
          { count: plan.created, label: review.created[kind](plan.created) },
          { count: plan.updated, label: review.updated[kind](plan.updated) },
          { count: plan.newCompanies, label: review.newCompanies(plan.newCompanies) },
          { count: plan.leftOut, label: review.leftOut(plan.leftOut) },
        ]}
      />
      {plan.updated > 0 && <p class={text.soft}>{review.updatedText[kind]}</p>}
    </>
  )
}

function AdditionFields({ session }: Pick<ReviewStepProps, 'session'>) {
  const { texts: shared } = useConsole()
  const { review } = useImportTexts()
  const lists = useMenu('lists')
  const { kind, names, settings, change } = session
  return (
    <fieldset class={styles.additions} aria-label={review.all}>
      <Field label={review.owner[kind]}>
        {(ids) => (
          <Select
            {...ids}
            value={settings.ownerId ?? ''}
            change={(id) => change({ ownerId: id || undefined })}
          >
            <option value="">{shared.deals.noOwner}</option>
            {names.members.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={review.list}>
        {(ids) => (
          <Select {...ids} value={settings.listId ?? ''} change={(id) => change({ listId: id || undefined })}>
            <option value="">{review.noList}</option>
            {lists.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={review.tag}>
        {(ids) => (
          <Select {...ids} value={settings.tagId ?? ''} change={(id) => change({ tagId: id || undefined })}>
            <option value="">{review.noTag}</option>
            {names.tags.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </fieldset>
  )
}
