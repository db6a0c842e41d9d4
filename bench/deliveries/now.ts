/** Returns milliseconds of a monotonic clock that all processes of this machine share. */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
