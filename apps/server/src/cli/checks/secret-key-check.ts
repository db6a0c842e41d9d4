import { canOpenSigningKeys, countForeignSecrets } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { secrets } from '@sales-crm/node'
import { PROGRAMS } from '../../process/program-names.ts'
import {
  readPreviousKey,
  readSecretKey,
  secretKeyFile,
  wrongKeyMessage,
} from '../../process/secret-key-file.ts'
import type { Settings } from '../../process/settings.ts'
import type { CheckResult } from './check.ts'

/**
 * Checks the key without creating it. A missing key is valid if nothing was sealed yet.
 * @param storage storage with the tables of this version, if available
 */
export async function checkSecretKey(
  settings: Settings,
  storage?: Pick<Storage, 'read'>,
): Promise<CheckResult> {
  const [key, previousKey] = [await readSecretKey(settings), readPreviousKey(settings)]
  if (storage && !(await canOpenSigningKeys(storage, key && secrets(key, previousKey))))
    return ['fail', wrongKeyMessage(settings, key)]
  if (!key) return ['ok', 'the first start makes it']
  const place = settings.secretKey === undefined ? secretKeyFile(settings) : 'SECRET_KEY'
  if (!previousKey || !storage) return ['ok', place]
  const count = await countForeignSecrets(storage, secrets(key))
  return count === 0
    ? ['warn', `${place}. Nothing needs SECRET_KEY_PREVIOUS any more: unset it and restart.`]
    : [
        'warn',
        `${place}. ${count} of the sealed values need SECRET_KEY_PREVIOUS. Run: ${PROGRAMS.operate} key reseal`,
      ]
}
