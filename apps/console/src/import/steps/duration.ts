import type { StepTexts } from '../texts/steps-en.ts'

const FEW_SECONDS = 5
const MINUTE = 60
const HOUR = 60 * MINUTE

/** A duration in words, rounded up. */
export function formatDuration(seconds: number, { time }: Pick<StepTexts, 'time'>): string {
  if (seconds < FEW_SECONDS) return time.moment
  if (seconds < MINUTE) return time.seconds(Math.ceil(seconds))
  if (seconds < 2 * HOUR) return time.minutes(Math.ceil(seconds / MINUTE))
  return time.hours(Math.ceil((seconds / HOUR) * 10) / 10)
}
