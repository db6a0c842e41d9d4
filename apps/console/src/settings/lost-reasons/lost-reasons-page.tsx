import type { LostReason } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { useChange } from '../../cache/use-change.ts'
import { patchRecord } from '../../records/edit-records.ts'
import { useMenu } from '../../reference/queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DeletionQuestion } from '../frame/deletion-question.tsx'
import { InlineText } from '../frame/inline-text.tsx'
import { PartPage, partStyles } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import labelStyles from '../labels/label-page.module.css'
import { Grip, orderStyles } from '../order/grip.tsx'
import { findMovedIndexes } from '../order/move-item.ts'
import { useReorder } from '../order/use-reorder.ts'
import { useSettingsTexts } from '../texts.ts'
import { LostReasonForm } from './lost-reason-form.tsx'

const MAX_NAME_LENGTH = 60

/** Lists, creates, renames, orders and deletes the reasons for which deals are lost. */
export function LostReasonsPage() {
  const { me } = useConsole()
  const { parts, lostReasons } = useSettingsTexts()
  const reasons = useMenu('lostReasons')
  return (
    <PartPage title={parts.lostReasons} lead={lostReasons.lead}>
      {isAdmin(me) && <LostReasonForm />}
      <PartQuery query={reasons}>
        {(all) =>
          all.length === 0 ? (
            <p class={partStyles.empty}>{lostReasons.empty}</p>
          ) : (
            <LostReasonRows reasons={all} />
          )
        }
      </PartQuery>
    </PartPage>
  )
}

function LostReasonRows({ reasons }: { readonly reasons: readonly LostReason[] }) {
  const { crm, me, texts } = useConsole()
  const settings = useSettingsTexts()
  const change = useChange()
  const [deleted, setDeleted] = useState<LostReason>()

  function rename(reason: LostReason, name: string, onError: (error: unknown) => void): void {
    const build = (name: string) => ({
      ids: [reason.id],
      send: () => crm.lostReasons.update(reason.id, { name }),
      patchOf: (id: string) => patchRecord(id, { name }),
    })
    change({ ...build(name), done: settings.changed(name), undo: () => build(reason.name), onError })
  }
  function reorder(next: readonly LostReason[]): void {
    const [index = -1] = findMovedIndexes(
      reasons.map(({ id }) => id),
      next.map(({ id }) => id),
    )
    const moved = next[index]
    if (!moved) return
    const build = (position: number, shown: readonly LostReason[]) => ({
      ids: [moved.id],
      send: () => crm.lostReasons.update(moved.id, { position }),
      patchOf: () => (data: unknown, queryKey: readonly unknown[]) =>
        queryKey[0] === 'lostReasons' ? shown : data,
    })
    change({ ...build(index, next), undo: () => build(moved.position, reasons) })
  }
  const order = useReorder({ items: reasons, keyOf: ({ id }) => id, nameOf: ({ name }) => name, reorder })
  return (
    <>
      <ol ref={order.listRef} class={partStyles.rows} aria-label={settings.parts.lostReasons}>
        {order.shown.map((reason, at) => (
          <li
            key={reason.id}
            class={classNames(
              partStyles.row,
              orderStyles.row,
              order.liftedKey === reason.id && orderStyles.isLifted,
            )}
            data-row={reason.id}
          >
            {isAdmin(me) && (
              <Grip itemKey={reason.id} name={reason.name} at={at + 1} of={reasons.length} order={order} />
            )}
            <div class={labelStyles.texts}>
              <InlineText
                isStrong
                label={texts.labels.name}
                field="name"
                value={reason.name}
                maxLength={MAX_NAME_LENGTH}
                save={(name, onError) => rename(reason, name, onError)}
              />
            </div>
            {isAdmin(me) && (
              <IconButton
                small
                icon="trash"
                label={settings.deleteItem(reason.name)}
                onClick={() => setDeleted(reason)}
              />
            )}
          </li>
        ))}
      </ol>
      {deleted && (
        <DeletionQuestion
          id={deleted.id}
          name={deleted.name}
          send={() => crm.lostReasons.delete(deleted.id)}
          onDone={() => setDeleted(undefined)}
          close={() => setDeleted(undefined)}
        >
          {settings.lostReasons.deleteText}
        </DeletionQuestion>
      )}
    </>
  )
}
