/**
 * Preloaded with `--import`: on SIGUSR2, rejects a promise that nobody handles, with an error like a
 * driver's.
 */
process.on('SIGUSR2', () => {
  const failure = new Error(`Key crm_rt_${'0123'.repeat(2)} of password=${['hunter', 2].join('')} failed`)
  void Promise.reject(Object.assign(failure, { detail: 'canary', code: '57P01' }))
})
