import type { Ports } from '../ports.ts'
import { openSecret } from './webhook.ts'

/** Secrets that stay open from one claim to the next. */
const MOST = 1000

/** Gives what deliveries are signed with. @throws Error when it was sealed under another key or for something else */
export type OpenedSecrets = (workspaceId: string, webhookId: string, sealed: string) => string

/** Opens a secret once, as long as few others were opened since. */
export function openedSecrets(secrets: Ports['secrets']): OpenedSecrets {
  const opened = new Map<string, string>()
  return (workspaceId, webhookId, sealed) => {
    const name = `${workspaceId} ${webhookId} ${sealed}`
    const known = opened.get(name)
    if (known !== undefined) return known
    const secret = openSecret(secrets, workspaceId, webhookId, sealed)
    opened.set(name, secret)
    if (opened.size > MOST) opened.delete(opened.keys().next().value!)
    return secret
  }
}
