import type { Share } from '@sales-crm/client'
import type { RuledKind } from '@sales-crm/core/browser'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { type Change, useChange } from '../cache/use-change.ts'

/** Who sees a record, and why. */
export function useViewers(kind: RuledKind, id: string, enabled = true) {
  const { crm } = useConsole()
  return useQuery({
    enabled,
    queryKey: [kind, 'viewers', id],
    queryFn: ({ signal }) => crm[kind].viewers(id, { signal }),
  })
}

/** With whom a record is shared. */
export function useShares(kind: RuledKind, id: string) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: [kind, 'shares', id],
    queryFn: ({ signal }) => crm[kind].shares(id, { signal }),
  })
}

/** Replaces the shares of a record: shown at once, and taken back by undo. */
export function useSharesUpdate(kind: RuledKind, id: string) {
  const { crm } = useConsole()
  const change = useChange()
  function buildChange(before: readonly Share[], after: readonly Share[], done: string): Change {
    return {
      ids: [id],
      send: (call) => call(id, () => crm[kind].setShares(id, after)),
      patchOf: () => (data, queryKey) =>
        queryKey[0] === kind && queryKey[1] === 'shares' && queryKey[2] === id ? after : data,
      done,
      undo: () => buildChange(after, before, done),
    }
  }
  return (before: readonly Share[], after: readonly Share[], done: string): void =>
    change(buildChange(before, after, done))
}

/** Names the member or team of a share. */
export function shareId(share: Share): string {
  return 'team_id' in share ? share.team_id : share.member_id
}
