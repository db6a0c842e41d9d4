import { useMemo } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { fieldsOfKind } from '../records/facts/fields-of-kind.ts'
import { useMenu } from '../reference/queries.ts'
import type { ImportKind } from './can-import.ts'
import type { WorkspaceNames } from './rows/reading-context.ts'

/** The members, tags and custom fields that cells may name. */
export function useWorkspaceNames(kind: ImportKind) {
  const { workspace } = useConsole()
  const members = useMenu('members')
  const tags = useMenu('tags')
  const fields = useMenu('customFields')
  const queries = [members, tags, fields]
  const { locale } = workspace
  const names = useMemo<WorkspaceNames | undefined>(
    () =>
      members.data &&
      tags.data &&
      fields.data && {
        members: members.data,
        tags: tags.data,
        fields: fieldsOfKind(fields.data, kind),
        locale,
      },
    [members.data, tags.data, fields.data, kind, locale],
  )
  return {
    names,
    error: queries.find(({ error }) => error)?.error,
    retry: () => queries.forEach(({ refetch }) => void refetch()),
  }
}
