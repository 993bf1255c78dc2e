import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { cssSheets, radixShadow, radixThemes } from './build/bundle/plugins.ts'
import { portalHtml } from './build/bundle/portal-html.ts'

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

const elsewhere = ['elements', 'journeys', 'portal', 'embedding', 'stories', 'faults'].map(name => `tests/${name}/`)
const tests = ['build', 'core', 'portal', 'server', 'stories', 'tests', 'widgets']
  .flatMap(dir =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).map(file =>
      path.posix.join(dir, file.replaceAll(path.sep, '/')),
    ),
  )
  .filter(file => /\.test\.tsx?$/.test(file) && !elsewhere.some(dir => file.startsWith(dir)))
/** Files that put something in the place of a module run apart; the others share a process and what they have imported. */
const mocking = tests.filter(file => readFileSync(file, 'utf8').includes('vi.mock('))

export default defineConfig({
  appType: 'custom',
  plugins: [{ ...cssSheets(), enforce: 'pre' }, radixThemes(), radixShadow(), react(), portalPage()],
  define: { 'process.env.MKOPO_VERSION': '"dev"' },
  optimizeDeps: {
    entries: ['portal/main.tsx', 'widgets/**/*.tsx'],
    rolldownOptions: { plugins: [radixShadow()] },
  },
  server: { port: 5173, strictPort: true, proxy: { '/api': api, '/burying-point-platform': api, '/health': api } },
  test: {
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: tests.filter(file => !mocking.includes(file)) },
      },
      { extends: true, test: { name: 'apart', include: mocking } },
    ],
  },
})
