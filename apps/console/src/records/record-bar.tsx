import type { Deal, Person } from '@sales-crm/client'
import { Link, useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { useConsole } from '../app/console-context.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { Bar, BarEnd } from '../shell/page-parts.tsx'
import { useShell } from '../shell/shell-context.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import { type Kind, recordName } from './kinds.ts'
import { type ListPosition, neighbourOf } from './list-position.ts'
import styles from './record-bar.module.css'
import type { AnyRecord } from './use-record.ts'

interface RecordBarProps {
  readonly kind: Kind
  readonly record: AnyRecord | undefined
}

/** The way back to the list, its neighbours, and the actions of the record. */
export function RecordBar({ kind, record }: RecordBarProps) {
  const { texts, formatNumber } = useConsole()
  const { openCreate, confirmDeletion } = useShell()
  const [, navigate] = useLocation()
  const state = useHistoryState<{ readonly list?: ListPosition } | null>()
  const list = state?.list
  const step = (rows: number) => {
    const next = list && neighbourOf(list, rows)
    if (next) navigate(`/${kind}/${next.id}`, { state: { list: next.list }, replace: true })
  }
  useKeys({ j: () => step(1), k: () => step(-1) })
  const back = list?.href ?? `/${kind}`
  return (
    <Bar>
      <Link class={styles.crumb} href={back}>
        <Icon name="left" />
        {texts.labels[kind]}
      </Link>
      {record && (
        <BarEnd>
          {list && (
            <>
              <span class={`${text.tiny} ${text.soft} ${text.deskOnly}`}>
                {texts.record.position(formatNumber(list.index + 1), formatNumber(list.total))}
              </span>
              <IconButton
                class={text.deskOnly}
                icon="up"
                label={texts.record.previous}
                onClick={() => step(-1)}
              />
              <IconButton
                class={text.deskOnly}
                icon="down"
                label={texts.record.next}
                onClick={() => step(1)}
              />
            </>
          )}
          <Button
            class={text.deskOnly}
            icon="tasks"
            onClick={() => openCreate('tasks', taskDefaults(kind, record))}
          >
            {texts.labels.task} <kbd>T</kbd>
          </Button>
          {kind !== 'deals' && (
            <Button
              class={text.deskOnly}
              icon="plus"
              onClick={() => openCreate('deals', taskDefaults(kind, record))}
            >
              {texts.labels.deal} <kbd>D</kbd>
            </Button>
          )}
          <Menu
            align="end"
            trigger={<IconButton icon="dots" label={texts.actions.moreActions} />}
            groups={[
              {
                actions: [
                  {
                    label: texts.actions.delete,
                    icon: 'trash',
                    isRisky: true,
                    select: () => confirmDeletion(kind, record.id, recordName(record), () => navigate(back)),
                  },
                ],
              },
            ]}
          />
        </BarEnd>
      )}
    </Bar>
  )
}

function taskDefaults(kind: Kind, record: AnyRecord) {
  if (kind === 'deals') return { deal: record as Deal }
  const contact = record as Person
  return kind === 'people' ? { person: contact } : { company: contact }
}
