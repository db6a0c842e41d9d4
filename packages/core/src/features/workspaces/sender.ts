import type * as v from 'valibot'
import type { ChangeContext } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { validationError } from '../../kernel/errors.ts'
import type { Random } from '../../ports/clock.ts'
import type { FileContent, Files } from '../../ports/files.ts'
import { fileUrl } from '../../schema/file-url.ts'
import type { Sender, SenderAddress, senderChanges } from '../../schema/sender.ts'
import { buildFile } from '../files/stored-file.ts'

type SenderInput = v.InferOutput<typeof senderChanges>

/** Changes of the sender, with the decoded logo; null for no sender. */
export type SenderChanges = (Omit<SenderInput, 'logo'> & { readonly logo?: FileContent | null }) | null

/** The sender of a workspace, as `crm.workspace.get` returns it. */
export interface SenderView extends SenderAddress {
  /** URL of the logo; null without one. It requires no token. */
  readonly logo_url: string | null
}

export function toSenderView(sender: Sender, issuer: string, workspaceId: string): SenderView {
  const { legal_name, tax_id, address, email, logo_key } = sender
  const logo_url = logo_key === null ? null : fileUrl(issuer, workspaceId, logo_key)
  return { legal_name, tax_id, address, email, logo_url }
}

/** Decodes the logo, before the transaction. @throws CrmError `validation_error` */
export async function prepareSender(input: SenderInput | null, files: Files): Promise<SenderChanges> {
  if (input === null) return null
  const { logo, ...fields } = input
  if (logo == null) return { ...fields, ...(logo === null && { logo }) }
  const file = await files.decodeLogo(logo)
  if ('error' in file) throw validationError({ 'sender.logo': file.error })
  return { ...fields, logo: file }
}

/**
 * Returns the changed sender, and writes the file of its logo. A former logo stays as long as offers show it: the caller
 * has locked the workspace, which a new offer shares.
 * @throws CrmError `validation_error` without a `legal_name`
 */
export async function changeSender(
  before: Sender | null,
  changes: SenderChanges,
  { stores }: WorkspaceTransaction,
  context: ChangeContext & { readonly random: Random },
): Promise<Sender | null> {
  const { logo, ...fields } = changes ?? { logo: null }
  const after = changes && mergeSender(before, fields)
  if (logo === undefined) return after
  const former = before?.logo_key ?? null
  if (former !== null && !(await stores.deal_offers.has([{ field: 'logo_key', is: former }])))
    for (const { id } of await stores.files.find([{ field: 'key', is: former }]))
      await stores.files.hardDelete(id)
  if (logo === null) return after && { ...after, logo_key: null }
  const file = buildFile(logo, { filename: logo.content_type.replace('/', '.'), download: false }, context)
  await stores.files.insert(file)
  return after && { ...after, logo_key: file.key }
}

function mergeSender(before: Sender | null, changes: Omit<SenderInput, 'logo'>): Sender {
  const { legal_name = before?.legal_name } = changes
  if (legal_name === undefined) throw validationError({ 'sender.legal_name': 'Required.' })
  const { tax_id, address, email, logo_key } = before ?? NO_ADDRESS
  return {
    legal_name,
    tax_id: changes.tax_id === undefined ? tax_id : changes.tax_id,
    address: changes.address === undefined ? address : changes.address,
    email: changes.email === undefined ? email : changes.email,
    logo_key,
  }
}

const NO_ADDRESS = { tax_id: null, address: null, email: null, logo_key: null }
