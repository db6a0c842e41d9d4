import type { Console } from '../app/console-context.ts'
import { canChange, canDelete, canShare } from '../app/permissions.ts'
import type { MenuAction, MenuGroup } from '../ui/menu.tsx'
import type { ActionRecord } from './edit-records.ts'
import type { Kind } from './kinds.ts'
import type { RecordActions } from './use-record-actions.tsx'

/** The actions of a record that the member may do, with the keys that do the same. */
export function buildRecordMenu(
  kind: Kind,
  record: ActionRecord,
  actions: RecordActions,
  { me, texts: { actions: texts, record: recordTexts } }: Pick<Console, 'me' | 'texts'>,
  onRemoved?: () => void,
): readonly MenuGroup[] {
  const records = [record]
  const addTask: MenuAction = {
    label: texts.addTask,
    icon: 'tasks',
    shortcut: 'T',
    select: () => actions.addTask(record),
  }
  const share: MenuAction = {
    label: texts.share,
    icon: 'eye',
    shortcut: 'S',
    select: () => actions.share(record),
  }
  if (!canChange(me, kind, record)) return [{ actions: [addTask, share] }]
  const moves: readonly MenuAction[] = [
    { label: texts.move, icon: 'arrow', shortcut: 'M', select: () => actions.chooseStage(records) },
    { label: texts.won, icon: 'flag', shortcut: 'W', select: () => actions.finish(records, 'win') },
    { label: texts.lost, icon: 'x', shortcut: '⇧W', select: () => actions.finish(records, 'lost') },
  ]
  const changeOwner: MenuAction = {
    label: texts.changeOwner,
    icon: 'person',
    shortcut: 'O',
    select: () => actions.chooseOwner(records),
  }
  const remove: MenuAction = {
    label: texts.delete,
    icon: 'trash',
    isRisky: true,
    select: () => actions.remove(records, onRemoved),
  }
  return [
    { actions: kind === 'deals' ? moves : [] },
    {
      actions: [
        addTask,
        ...(canShare(me, kind, record) ? [changeOwner] : []),
        {
          label: recordTexts.addTag,
          icon: 'tag',
          shortcut: 'L',
          select: () => actions.chooseTag(records),
        },
        { label: recordTexts.addList, icon: 'list', select: () => actions.chooseList(records) },
        share,
      ],
    },
    { actions: canDelete(me, kind, record) ? [remove] : [] },
  ]
}
