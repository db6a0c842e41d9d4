/** Loaded before a process's own modules: on a signal, a failure of the kind that drivers make and nobody catches. */
process.on('SIGUSR2', () => {
  const failure = new Error(`Key crm_rt_${'0123'.repeat(2)} of password=${['hunter', 2].join('')} failed`)
  void Promise.reject(Object.assign(failure, { detail: 'canary', code: '57P01' }))
})
