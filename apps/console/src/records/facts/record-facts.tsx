import type { Deal, Person } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import type { RecordField } from '../../fields/field.ts'
import { FieldValue } from '../../fields/field-value.tsx'
import { KIND_FIELDS } from '../../fields/kind-fields.ts'
import type { Kind } from '../kinds.ts'
import { DEAL_PEOPLE, PERSON_COMPANIES } from '../linked/link-list.ts'
import { LinkListBlock } from '../linked/link-list-block.tsx'
import page from '../record-page.module.css'
import type { AnyRecord } from '../use-record.ts'
import { CustomFieldFacts } from './custom-field-facts.tsx'
import { Fact, Facts } from './fact.tsx'

/** The details of a record, each edited where it stands. */
export function RecordFacts({ kind, record }: { readonly kind: Kind; readonly record: AnyRecord }) {
  const { texts } = useConsole()
  const fields = KIND_FIELDS[kind].facts as readonly RecordField<AnyRecord>[]
  return (
    <section class={page.facts} aria-labelledby="details">
      {kind === 'deals' && <LinkListBlock list={DEAL_PEOPLE} record={record as Deal} />}
      <div class={page.blockHead}>
        <h2 id="details">{texts.record.details}</h2>
      </div>
      <Facts>
        {fields.map((field) => (
          <Fact key={field.name} label={field.label(texts)}>
            <FieldValue kind={kind} field={field} row={record} />
          </Fact>
        ))}
      </Facts>
      {kind === 'people' && (record as Person).company && (
        <LinkListBlock list={PERSON_COMPANIES} record={record as Person} />
      )}
      <CustomFieldFacts kind={kind} record={record} />
    </section>
  )
}
