import { badRequest, type CrmError } from '../../kernel/errors.ts'

/** @param problem what is wrong with the archive, after `The archive` */
export function archiveError(problem: string): CrmError {
  return badRequest(`The archive ${problem}`)
}

/** An archive that was cut off or changed after it was written. */
export function damagedArchive(problem: string): CrmError {
  return archiveError(`${problem}: it is damaged. Copy it again, or export the workspace again.`)
}
