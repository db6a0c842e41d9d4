import { buildForInstallation } from '../apps/server/src/console/build-console.ts'

// Builds the console into the checkout, for a service that may not write there.
console.log(`The console is in ${await buildForInstallation()}.`)
