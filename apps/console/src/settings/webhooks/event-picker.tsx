import type { EventName } from '@sales-crm/client'
import { EVENT_NAMES } from '@sales-crm/core/browser'
import { useState } from 'preact/hooks'
import { IconButton } from '../../ui/button.tsx'
import { Check, FieldError } from '../../ui/field.tsx'
import { EVENT_GROUPS, type EventGroup, selectEvents, selectionState } from './event-groups.ts'
import { useWebhookTexts } from './texts.ts'
import styles from './webhooks.module.css'

interface EventPickerProps {
  readonly selected: readonly EventName[]
  readonly select: (events: readonly EventName[]) => void
  readonly error: string | undefined
}

/** Selects events: all, those of a group, or one by one. */
export function EventPicker({ selected, select, error }: EventPickerProps) {
  const texts = useWebhookTexts()
  const all = selectionState(selected, EVENT_NAMES)
  return (
    <fieldset>
      <legend class={styles.legend}>{texts.events}</legend>
      {error && (
        <div class={styles.error} tabIndex={-1} aria-invalid="true">
          <FieldError>{error}</FieldError>
        </div>
      )}
      <div class={styles.groups}>
        <div class={styles.group}>
          <Check
            label={texts.allEvents}
            checked={all.state === 'all'}
            indeterminate={all.state === 'some'}
            change={(isOn) => select(isOn ? EVENT_NAMES : [])}
          />
          <b>{texts.allEvents}</b>
        </div>
        {EVENT_GROUPS.map(([group, events]) => (
          <GroupRows key={group} group={group} events={events} selected={selected} select={select} />
        ))}
      </div>
    </fieldset>
  )
}

interface GroupRowsProps extends Omit<EventPickerProps, 'error'> {
  readonly group: EventGroup
  readonly events: readonly EventName[]
}

function GroupRows({ group, events, selected, select }: GroupRowsProps) {
  const texts = useWebhookTexts()
  const [isOpen, setIsOpen] = useState(false)
  const { state, count } = selectionState(selected, events)
  const name = texts.groups[group]
  return (
    <>
      <div class={styles.group}>
        <Check
          label={texts.allOf(name)}
          checked={state === 'all'}
          indeterminate={state === 'some'}
          change={(isOn) => select(selectEvents(selected, events, isOn))}
        />
        <span>{name}</span>
        <span class={styles.groupCount}>{texts.selectedOf(count, events.length)}</span>
        <IconButton
          small
          icon={isOpen ? 'up' : 'down'}
          label={texts.eachOf(name)}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      </div>
      {isOpen && (
        <ul class={styles.groupEvents}>
          {events.map((event) => (
            <li class={styles.check} key={event}>
              <Check
                label={event}
                checked={selected.includes(event)}
                change={(isOn) => select(selectEvents(selected, [event], isOn))}
              />
              <code aria-hidden="true">{event}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
