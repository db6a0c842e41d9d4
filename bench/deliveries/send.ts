/** Sends `count` deliveries and returns the milliseconds they took. */
export type Send = (count: number) => Promise<number>
