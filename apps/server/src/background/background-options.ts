import { addressPolicy, type Mailer, type OutboundOptions } from '@sales-crm/node'
import { assertOptions, hasMembers, isWholeNumber, type OptionRules } from '../option-rules.ts'
import { DELIVERY_BOUNDS, type DeliverySettings } from './delivery-settings.ts'

/** Options of `startBackground`. */
export interface BackgroundOptions {
  /** Sends mail. Default: mail stays in the queue. */
  readonly mailer?: Mailer | undefined
  /** Default: ten seconds for an attempt, and three retries, each 15 minutes after the attempt before. */
  readonly deliveries?: Partial<DeliverySettings> | undefined
  /** Allowed destinations of webhooks. Default: those of `nodePorts`. */
  readonly outbound?: OutboundOptions | undefined
}

const RULES: OptionRules<BackgroundOptions> = {
  mailer: [hasMembers('send', 'close'), 'must have the functions send and close, as smtpMailer has'],
  deliveries: [isDeliverySettings, `must have whole numbers: ${describeBounds()}`],
  outbound: [isOutbound, 'must have allowPrivate, true or false, and allowCidrs, ranges such as 10.1.0.0/16'],
}

/** @throws TypeError that names the first wrong option and its rule */
export function assertBackgroundOptions(options: BackgroundOptions): void {
  assertOptions('startBackground', options, RULES)
}

function isDeliverySettings(settings: unknown): boolean {
  if (typeof settings !== 'object' || settings === null) return false
  return Object.entries(settings).every(([name, value]) => {
    const bounds = Object.hasOwn(DELIVERY_BOUNDS, name)
      ? DELIVERY_BOUNDS[name as keyof DeliverySettings]
      : undefined
    return bounds !== undefined && (value === undefined || isWholeNumber(value, ...bounds))
  })
}

function describeBounds(): string {
  return Object.entries(DELIVERY_BOUNDS)
    .map(([name, [min, max]]) => `${name} from ${min} to ${max}`)
    .join(', ')
}

function isOutbound(outbound: OutboundOptions): boolean {
  try {
    addressPolicy(outbound)
    return true
  } catch {
    return false
  }
}
