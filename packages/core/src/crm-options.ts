import { didYouMean } from './engine/did-you-mean.ts'
import type { Rules } from './engine/rules.ts'
import type { Ports } from './ports/index.ts'

export interface CrmOptions {
  /** Rules of the application, which hold for every caller: the API, the tools and the application itself. */
  readonly rules?: Rules
}

const PORT_NAMES = [
  ...['storage', 'issuer', 'now', 'newId', 'random', 'passwords', 'secrets', 'tokens'],
  ...['sanitizeHtml', 'files', 'parseOutboundUrl', 'fetchDocument'],
] as const satisfies readonly (keyof Ports)[]

/** @throws TypeError that names the first port that is missing */
export function assertPorts(ports: Ports): void {
  const missing = PORT_NAMES.find((name) => Object(ports)[name] === undefined)
  if (missing !== undefined)
    throw new TypeError(`createCrm needs the port ${missing}: createCrm({ ...nodePorts(…), storage }).`)
  if (typeof ports.storage.transact !== 'function')
    throw new TypeError(
      'The port storage of createCrm must be a storage: memoryStorage(), or await sqliteStorage(…) or postgresStorage(…).',
    )
}

const RECORD_TYPES = ['companies', 'deals', 'people', 'tasks']

/**
 * Rejects unknown names: a rule under a wrong name would never run.
 * @throws TypeError that names the first wrong option and its rule
 */
export function assertCrmOptions(options: CrmOptions): void {
  assertNames(options, ['rules'])
  const { rules = {} } = options
  assertNames(rules, RECORD_TYPES, 'rules.')
  for (const [recordType, each] of Object.entries(rules)) {
    const isValid =
      each === undefined || (Array.isArray(each) && each.every((rule) => typeof rule === 'function'))
    if (!isValid)
      throw new TypeError(`The option rules.${recordType} of createCrm must be an array of functions.`)
  }
}

function assertNames(options: object, names: readonly string[], prefix = ''): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const nearest = didYouMean(unknown, names)
  const hint = nearest === undefined ? `Known: ${names.join(', ')}.` : `Did you mean ${prefix}${nearest}?`
  throw new TypeError(`createCrm has no option ${prefix}${unknown}. ${hint}`)
}
