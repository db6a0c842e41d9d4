import { assertNodeVersion } from './node-version.ts'

// The first module that is evaluated: an older Node.js would fail in others, and not say why.
assertNodeVersion(process.versions.node)
