import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeLibrary } from '../../build/docs/describe.ts'
import { root } from '../../build/graph.ts'
import { widgets } from '../../widgets/registry.ts'

const lib = path.join(root, 'dist/lib')
const place = mkdtempSync(path.join(tmpdir(), 'mkopo-consumers-'))
const installed = path.join(place, 'node_modules/mkopo')
const run = (command: string, args: readonly string[], cwd: string) => {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}

/** Packs the library as it would be published and unpacks it where npm would put it. */
beforeAll(async () => {
  if (!existsSync(path.join(lib, 'mkopo.js'))) throw new Error('dist/lib is not built: npm run build')
  await describeLibrary(lib, widgets)
  const packed = run('npm', ['pack', '--offline', '--ignore-scripts', '--silent', '--pack-destination', place], lib)
  mkdirSync(installed, { recursive: true })
  run(
    'tar',
    ['-xzf', path.join(place, packed.trim().split('\n').at(-1) as string), '-C', installed, '--strip-components=1'],
    place,
  )
  for (const of of ['@types/react', '@types/react-dom', 'csstype', 'react', 'react-dom', 'vue', '@vue']) {
    mkdirSync(path.dirname(path.join(place, 'node_modules', of)), { recursive: true })
    symlinkSync(path.join(root, 'node_modules', of), path.join(place, 'node_modules', of))
  }
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Copies a consumer beside the installed packages and compiles it strictly, the types of the library included. */
const compile = (from: string, options: object) => {
  const own = path.join(place, from.replaceAll('/', '-'))
  cpSync(path.join(root, from), own, { recursive: true })
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: false,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    ...options,
  }
  writeFileSync(path.join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }))
  writeFileSync(path.join(own, 'package.json'), '{ "type": "module" }')
  return run(path.join(root, 'node_modules/.bin/tsc'), ['-p', own], own)
}

const bundler = { module: 'esnext', moduleResolution: 'bundler' }
const node = { module: 'nodenext', moduleResolution: 'nodenext' }

describe('the packed library', () => {
  it.each([
    ['tests/consumers/plain', 'a bundler', bundler],
    ['tests/consumers/plain', 'Node', node],
    ['tests/consumers/react', 'a bundler', { ...bundler, jsx: 'react-jsx' }],
    ['tests/consumers/vue', 'a bundler', bundler],
    ['examples/react', 'a bundler', { ...bundler, jsx: 'react-jsx' }],
    ['examples/vue', 'a bundler', bundler],
  ])('type-checks in %s, resolved as %s does', (from, _, options) => {
    expect(compile(from, options)).toBe('')
  })

  it('holds every file that it exports, and nothing of the portal’s page', () => {
    const { exports } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
      exports: Record<string, string | Record<string, string>>
    }
    const files = Object.values(exports).flatMap(entry => (typeof entry === 'string' ? [entry] : Object.values(entry)))
    expect(files.filter(file => !existsSync(path.join(installed, file)))).toEqual([])
    expect(Object.keys(exports)).toEqual(expect.arrayContaining(widgets.map(({ tag }) => `./${tag}.js`)))
    expect(readdirSync(installed).filter(file => file.startsWith('portal-'))).toEqual([])
  })

  it('loads what its elements import from itself only', () => {
    for (const { tag } of widgets) {
      const code = readFileSync(path.join(installed, `${tag}.js`), 'utf8')
      const imported = [...code.matchAll(/(?:from|import)\s*"([^"]+)"/g)].map(([, file]) => file as string)
      expect(imported.length).toBeGreaterThan(0)
      expect(imported.filter(file => !existsSync(path.join(installed, file)))).toEqual([])
    }
  })
})
