const PREFIX = 'console.draft.'

/** The key of what a member writes at a place of a workspace. */
export function draftKey(userId: string, workspaceId: string, place: string): string {
  return `${PREFIX}${userId}.${workspaceId}.${place}`
}

export function readDraft<T>(key: string): T | undefined {
  const text = sessionStorage.getItem(key)
  return text === null ? undefined : (JSON.parse(text) as T)
}

export function writeDraft(key: string, value: unknown): void {
  sessionStorage.setItem(key, JSON.stringify(value))
}

export function deleteDraft(key: string): void {
  sessionStorage.removeItem(key)
}

/** Forgets the drafts of all members, or of all but one. */
export function deleteDrafts(exceptUserId?: string): void {
  const kept = exceptUserId === undefined ? undefined : `${PREFIX}${exceptUserId}.`
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX) && !(kept !== undefined && key.startsWith(kept))) deleteDraft(key)
}
