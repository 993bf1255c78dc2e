import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { leaveOut } from './build/leave-out.ts'
import { cssSheets, radixShadow, radixThemes } from './build/plugins.ts'
import { portalHtml } from './build/portal-html.ts'

/** Answers every page of the portal with its one page. */
const portalPage = (): Plugin => ({
  name: 'portal-page',
  configureServer: server => () => {
    server.middlewares.use(async (request, response, next) => {
      if (!request.headers.accept?.includes('text/html')) return next()
      response.setHeader('content-type', 'text/html')
      response.end(await server.transformIndexHtml(request.url ?? '/', portalHtml('/portal/main.tsx')))
    })
  },
})

const api = `http://127.0.0.1:${process.env.PORT ?? 8080}`

export default defineConfig({
  appType: 'custom',
  plugins: [{ ...cssSheets(), enforce: 'pre' }, radixThemes(), radixShadow(), leaveOut(), react(), portalPage()],
  define: { 'process.env.MKOPO_VERSION': '"dev"' },
  optimizeDeps: {
    entries: ['portal/main.tsx', 'widgets/**/*.tsx'],
    rolldownOptions: { plugins: [radixShadow(), leaveOut()] },
  },
  server: { port: 5173, strictPort: true, proxy: { '/api': api, '/burying-point-platform': api, '/health': api } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    include: ['{build,core,portal,server,stories,tests,widgets}/**/*.test.{ts,tsx}'],
    exclude: [
      'tests/elements/**',
      'tests/journeys/**',
      'tests/portal/**',
      'tests/embedding/**',
      'tests/faults/**',
      'tests/stories/**',
      '**/node_modules/**',
    ],
  },
})
