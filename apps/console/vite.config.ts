import { defineConfig } from 'vite'

// A build for development, which another value makes, contains paths of this machine.
process.env['NODE_ENV'] = 'production'

export default defineConfig({
  // Relative, so that one build works below any path. The service writes the page around it.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: [
      { find: 'react/jsx-runtime', replacement: 'preact/jsx-runtime' },
      { find: 'react-dom/client', replacement: 'preact/compat/client' },
      { find: 'react-dom', replacement: 'preact/compat' },
      { find: 'react', replacement: 'preact/compat' },
    ],
  },
  build: {
    manifest: 'manifest.json',
    license: { fileName: 'licenses.md' },
    assetsDir: '.',
    // An inlined file would be a data: URL, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    rolldownOptions: {
      input: 'src/main.tsx',
      // One chunk of all that the entry imports. By itself, the bundler makes one for each set of pages that share it.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      onLog(level, log, write) {
        // `use client` says nothing to a browser.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') write(level, log)
      },
    },
  },
})
