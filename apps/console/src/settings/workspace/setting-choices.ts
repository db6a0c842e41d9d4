import type { SettingChoice } from '@sales-crm/core/browser'

/** The time zones by their offset at an instant. */
export function listTimeZones(language: string, now: Date): readonly SettingChoice[] {
  return Intl.supportedValuesOf('timeZone').map((zone) => ({
    value: zone,
    label: describeTimeZone(zone, language, now),
  }))
}

/** `America/Sao Paulo (UTC-3)` */
export function describeTimeZone(zone: string, language: string, now: Date): string {
  const format = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'shortOffset' })
  const offset = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${zone.replaceAll('_', ' ')} (${offset.replace('GMT', 'UTC')})`
}

/** The choices with the present value among them, which may be one that is not offered. */
export function withValue(
  choices: readonly SettingChoice[],
  value: string,
  label: () => string,
): readonly SettingChoice[] {
  return choices.some((each) => each.value === value) ? choices : [{ value, label: label() }, ...choices]
}
