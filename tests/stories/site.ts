import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const built = path.join(root, 'storybook-static')
const sources = ['.storybook', 'build', 'core', 'docs/screens', 'examples', 'stories', 'widgets', 'package-lock.json']

const changed = (file: string): number => {
  const found = statSync(file)
  if (!found.isDirectory()) return /\.test\.tsx?$/.test(file) ? 0 : found.mtimeMs
  return Math.max(0, ...readdirSync(file).map(name => changed(path.join(file, name))))
}

const build = () => {
  const mark = path.join(built, 'index.json')
  const newest = Math.max(...sources.map(source => changed(path.join(root, source))))
  if (existsSync(mark) && statSync(mark).mtimeMs > newest) return
  const storybook = path.join(root, 'node_modules/storybook/dist/bin/dispatcher.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [storybook, 'build', '-o', built, '--quiet'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, STORYBOOK_DISABLE_TELEMETRY: '1' },
  })
  if (status !== 0) throw new Error(`Storybook was not built\n${stdout}\n${stderr}`)
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

declare module 'vitest' {
  interface ProvidedContext {
    site: string
  }
}

/** Builds what is out of date and serves it on a port of its own. */
export default async ({ provide }: TestProject) => {
  build()
  const server = createServer((request, response) => {
    const file = path.join(built, new URL(request.url ?? '/', 'http://localhost').pathname)
    if (!file.startsWith(built) || !existsSync(file) || statSync(file).isDirectory())
      return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' })
    response.end(readFileSync(file))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  provide('site', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () => new Promise(resolve => server.close(resolve))
}
