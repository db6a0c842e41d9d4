import type { FollowedRecord } from '@sales-crm/client'
import { useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { showDone, showError } from '../ui/toasts.tsx'
import { useNotificationTexts } from './texts.ts'

type FollowedKind = FollowedRecord['kind']

/** The key of the query that says whether a record is followed. */
export const followingKey = (kind: FollowedKind, id: string) => [kind, 'following', id]

/** Returns a function that follows a record, or stops. It returns false after an error, which it shows. */
export function useFollow(kind: FollowedKind, id: string): (isFollowing: boolean) => Promise<boolean> {
  const { crm, texts: consoleTexts } = useConsole()
  const client = useQueryClient()
  const texts = useNotificationTexts()
  return async (isFollowing) => {
    try {
      await (isFollowing ? crm[kind].follow(id) : crm[kind].unfollow(id))
    } catch (error) {
      showError(explainError(error, consoleTexts))
      return false
    }
    client.setQueryData(followingKey(kind, id), isFollowing)
    // The list that is shown keeps its rows until it is opened again.
    await client.invalidateQueries({ queryKey: ['following'], refetchType: 'none' })
    showDone(isFollowing ? texts.nowFollowing : texts.noLonger)
    return true
  }
}
