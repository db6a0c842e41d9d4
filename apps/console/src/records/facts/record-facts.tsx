import type { Company, Deal, Owner, Person } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { DealFacts } from '../../deals/deal-facts.tsx'
import { completeLink } from '../../format/link.ts'
import type { Kind } from '../kinds.ts'
import page from '../record-page.module.css'
import { useLinkUpdate } from '../use-link-update.ts'
import type { AnyRecord } from '../use-record.ts'
import { useRecordUpdate } from '../use-record-update.ts'
import { ContactFacts } from './contact-facts.tsx'
import { websiteLinks } from './contact-texts.ts'
import { CustomFieldFacts } from './custom-field-facts.tsx'
import { Fact, Facts } from './fact.tsx'
import { InlineRecord } from './inline-record.tsx'
import { OwnerFact } from './owner-fact.tsx'
import { TextFact } from './text-fact.tsx'

/** The details of a record, each edited where it stands. */
export function RecordFacts({ kind, record }: { readonly kind: Kind; readonly record: AnyRecord }) {
  const { texts } = useConsole()
  const update = useRecordUpdate()
  const ownerEdit = (owner: Owner | null) => ({
    changes: { owner_user_id: owner?.id ?? null },
    shown: { owner },
  })
  return (
    <section class={page.facts} aria-labelledby="details">
      <div class={page.blockHead}>
        <h2 id="details">{texts.record.details}</h2>
      </div>
      <Facts>
        {kind === 'people' && <PersonFacts person={record as Person} />}
        {kind === 'companies' && <CompanyFacts company={record as Company} />}
        {kind === 'deals' && <DealFacts deal={record as Deal} />}
        <OwnerFact
          owner={record.owner}
          choose={(owner) =>
            update({
              kind,
              id: record.id,
              label: texts.labels.owner,
              to: ownerEdit(owner),
              from: ownerEdit(record.owner),
            })
          }
        />
      </Facts>
      <CustomFieldFacts kind={kind} record={record} />
    </section>
  )
}

function PersonFacts({ person }: { readonly person: Person }) {
  const { texts } = useConsole()
  const linkTo = useLinkUpdate()
  const { labels } = texts
  return (
    <>
      <ContactFacts kind="people" record={person} />
      <TextFact
        kind="people"
        record={person}
        label={labels.position}
        value={person.position}
        edit={(position) => ({ changes: { position }, shown: { position } })}
      />
      <Fact label={labels.company}>
        <InlineRecord
          label={labels.company}
          kind="companies"
          record={person.company}
          choose={(company) => linkTo('people', person.id, 'company', company, person.company)}
        />
      </Fact>
    </>
  )
}

function CompanyFacts({ company }: { readonly company: Company }) {
  const { texts } = useConsole()
  return (
    <>
      <ContactFacts kind="companies" record={company} />
      <TextFact
        kind="companies"
        record={company}
        label={texts.labels.website}
        value={company.website}
        links={websiteLinks(company.website)}
        edit={(typed) => {
          const website = typed && completeLink(typed)
          return { changes: { website }, shown: { website } }
        }}
      />
    </>
  )
}
