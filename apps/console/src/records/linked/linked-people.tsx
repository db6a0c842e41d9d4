import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import type { CreateDefaults } from '../../create/create-defaults.ts'
import { useShell } from '../../shell/shell-context.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import page from '../record-page.module.css'
import styles from './linked.module.css'

interface LinkedPeopleProps {
  readonly companyId: string
  readonly defaults: CreateDefaults
}

const SHOWN = 20

/** The people of a company. */
export function LinkedPeople({ companyId, defaults }: LinkedPeopleProps) {
  const { crm, texts } = useConsole()
  const { openCreate } = useShell()
  const people = useQuery({
    queryKey: ['people', 'of', companyId],
    queryFn: async ({ signal }) =>
      await crm.people.list(
        { company_id: companyId, per_page: SHOWN, order_by: 'full_name', order: 'asc' },
        { signal },
      ),
  })
  return (
    <section class={page.block}>
      <div class={page.blockHead}>
        <h2>
          {texts.labels.people} <span class={text.count}>{people.data?.meta.total || ''}</span>
        </h2>
        <IconButton
          small
          icon="plus"
          class={text.push}
          label={texts.create.people}
          onClick={() => openCreate('people', defaults)}
        />
      </div>
      {people.data?.data.map((person) => (
        <article class={styles.mini} key={person.id}>
          <p>
            <Link class={classNames(text.plain, text.cut)} href={`/people/${person.id}`}>
              <strong>{person.full_name}</strong>
            </Link>
          </p>
          <p class={classNames(text.soft, text.cut)}>{person.position ?? person.emails[0]?.email}</p>
        </article>
      ))}
    </section>
  )
}
