import { defineConfig } from 'vite'
import { cssSheets, radixShadow, radixThemes, useClient } from '../build/bundle/plugins.ts'

/** The same style sheets, Radix and zod as in the library. */
export default defineConfig({
  plugins: [{ ...cssSheets(), enforce: 'pre' }, radixThemes(), radixShadow(), useClient()],
  define: {
    'process.env.MKOPO_VERSION': '"story"',
    // React says aloud what is wrong with a component, also in the built site.
    'process.env.NODE_ENV': '"development"',
  },
  optimizeDeps: { rolldownOptions: { plugins: [radixShadow()] } },
})
