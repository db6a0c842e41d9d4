import { useLists } from '../../reference/use-lists.ts'
import { useTags } from '../../reference/use-tags.ts'
import { useTaskTypes } from '../../reference/use-task-types.ts'
import { useSettingsTexts } from '../texts.ts'
import { LabelPage } from './label-page.tsx'
import { mapQuery } from './map-query.ts'
import { useLabelTexts } from './texts.ts'
import { useListKind, useTagKind, useTaskTypeKind } from './use-label-kinds.ts'

export function TaskTypesPage() {
  const { parts } = useSettingsTexts()
  const { taskTypes } = useLabelTexts()
  const query = mapQuery(useTaskTypes(), (types) =>
    types.map(({ id, title, color, key }) => ({ id, name: title, colour: color, note: key })),
  )
  return <LabelPage title={parts.taskTypes} kind={useTaskTypeKind()} query={query} texts={taskTypes} />
}

export function TagsPage() {
  const { parts } = useSettingsTexts()
  const { tags } = useLabelTexts()
  const query = mapQuery(useTags(), (records) =>
    records.map(({ id, name, color, key }) => ({ id, name, colour: color, note: key })),
  )
  return <LabelPage title={parts.tags} kind={useTagKind()} query={query} texts={tags} />
}

export function ListsPage() {
  const { parts } = useSettingsTexts()
  const { lists, records } = useLabelTexts()
  const query = mapQuery(useLists(), (all) =>
    all.map(({ id, name, description, records_count }) => ({
      id,
      name,
      description: description ?? '',
      note: records(records_count),
    })),
  )
  return <LabelPage title={parts.lists} kind={useListKind()} query={query} texts={lists} />
}
