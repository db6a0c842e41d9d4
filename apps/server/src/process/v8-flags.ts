import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 make every object where short-lived ones are cleared. From what stays of a place in the code it
 * would learn where to make the next ones; it learns so while the program starts, when nearly all stays.
 * Under load the results of each request are then held until a whole collection, by one array that was made
 * among the old.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
