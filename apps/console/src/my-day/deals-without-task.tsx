import type { DealListItem } from '@sales-crm/client'
import { Link } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { defaultsFor } from '../create/create-defaults.ts'
import { DealAmount } from '../deals/deal-amount.tsx'
import { StageAgeMark } from '../deals/stage-age-mark.tsx'
import mini from '../records/linked/linked.module.css'
import page from '../records/record-page.module.css'
import { useShell } from '../shell/shell-context.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import text from '../ui/text.module.css'
import styles from './my-day.module.css'
import { useDealsWithoutTask } from './use-deals-without-task.ts'

const SHOWN = 12

export function DealsWithoutTask({ isMine }: { readonly isMine: boolean }) {
  const { texts } = useConsole()
  const deals = useDealsWithoutTask(isMine)
  if (!deals.data) return null
  return (
    <section>
      <div class={page.blockHead}>
        <h2>
          {texts.myDay.without} <span class={text.count}>{deals.data.length || ''}</span>
        </h2>
      </div>
      <p class={styles.lead}>
        {deals.data.length === 0 ? texts.myDay.allHaveTasks : texts.myDay.withoutLead}
      </p>
      {deals.data.slice(0, SHOWN).map((deal) => (
        <DealWithoutTask key={deal.id} deal={deal} />
      ))}
    </section>
  )
}

function DealWithoutTask({ deal }: { readonly deal: DealListItem }) {
  const { texts } = useConsole()
  const { openCreate } = useShell()
  const contact = deal.company ?? deal.person
  return (
    <article class={mini.mini}>
      <p>
        <Link class={classNames(text.plain, text.cut)} href={`/deals/${deal.id}`}>
          <strong>{deal.name}</strong>
        </Link>
      </p>
      {contact && <p class={classNames(text.soft, text.cut)}>{contact.full_name}</p>}
      <p>
        <b>
          <DealAmount deal={deal} />
        </b>
        <StageAgeMark deal={deal} class={text.push} describe={texts.myDay.inStage} />
      </p>
      <p>
        <Button small icon="plus" onClick={() => openCreate('tasks', defaultsFor('deals', deal))}>
          {texts.myDay.nextTask}
        </Button>
      </p>
    </article>
  )
}
