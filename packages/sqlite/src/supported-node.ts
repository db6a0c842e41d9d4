const MINIMUM_MAJOR = 24

// The first module that is evaluated: the driver ends the process of an older Node.js without a word.
if (Number(process.versions.node.split('.')[0]) < MINIMUM_MAJOR)
  throw new Error(
    `Node.js ${MINIMUM_MAJOR}.16 or newer is needed, and this is ${process.versions.node}. Install it from nodejs.org.`,
  )
