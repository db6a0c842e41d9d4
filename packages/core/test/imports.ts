import type { Actor, Crm, ImportChanges, ImportDetail } from '../src/index.ts'

/** Sends a file in parts of some bytes, and reads it. */
export async function uploadFile(
  crm: Crm,
  actor: Actor,
  text: string,
  { partBytes = 1000, changes }: { readonly partBytes?: number; readonly changes?: ImportChanges } = {},
): Promise<ImportDetail> {
  const bytes = Buffer.from(text)
  const { id } = await crm.imports.create(actor, { name: 'contacts.csv', size: bytes.length })
  for (let offset = 0; offset < bytes.length; offset += partBytes)
    await crm.imports.upload(actor, id, { offset, bytes: bytes.subarray(offset, offset + partBytes) })
  await workOff(crm)
  return changes ? crm.imports.update(actor, id, changes) : crm.imports.get(actor, id)
}

/** Runs the background until nothing is due. */
export async function workOff(crm: Crm): Promise<void> {
  while (await crm.imports.continue()) {
    // Each call does some steps.
  }
}

export async function checkFile(crm: Crm, actor: Actor, id: string): Promise<ImportDetail> {
  await crm.imports.check(actor, id)
  await workOff(crm)
  return crm.imports.get(actor, id)
}

export async function runFile(crm: Crm, actor: Actor, id: string): Promise<ImportDetail> {
  await crm.imports.run(actor, id)
  await workOff(crm)
  return crm.imports.get(actor, id)
}
