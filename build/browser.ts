import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** Fits containers and quiet machines; nothing here weakens what a page may do. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const names = [
  'chromium',
  'chromium-headless-shell',
  'google-chrome',
  'google-chrome-stable',
  'chromium-browser',
  'chrome',
]

const onPath = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap(dir => names.map(name => path.join(dir, name)))
    .find(existsSync)

const ofPlaywright = () => {
  try {
    const file = chromium.executablePath()
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

const starts = (file: string) => {
  try {
    execFileSync(file, ['--version'], { stdio: 'ignore', timeout: 30_000 })
    return true
  } catch {
    return false
  }
}

const prefer = (generic: string, ...fonts: string[]) =>
  `<alias binding="strong"><family>${generic}</family><prefer>${fonts.map(font => `<family>${font}</family>`).join('')}</prefer></alias>`

const fontsConf = (dir: string) =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${dir}/fonts/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${dir}/fonts-cache</cachedir>
${['system-ui', 'sans-serif', 'Arial', 'Times New Roman'].map(name => prefer(name, 'Noto Sans', 'Open Sans', 'DejaVu Sans', 'Noto Sans CJK SC')).join('\n')}
${['monospace', 'ui-monospace'].map(name => prefer(name, 'Noto Sans Mono', 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC')).join('\n')}
<match target="pattern"><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
</fontconfig>
`

const unpacking = `const { default: packed } = await import('@sparticuz/chromium'); await packed.executablePath()`

/**
 * Unpacks beside the final folder and renames, so that two processes may do it at once. What the package reads of the
 * environment is that of a process of its own: here, others may be about to make their temporary files.
 */
const unpack = (dir: string) => {
  const own = `${dir}-${process.pid}`
  mkdirSync(own, { recursive: true })
  const env = { ...process.env, TMPDIR: own, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x', LD_LIBRARY_PATH: '' }
  execFileSync(process.execPath, ['--input-type=module', '-e', unpacking], { cwd: import.meta.dirname, env })
  try {
    renameSync(own, dir)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(dir)) throw error
  }
}

/** The Chromium inside the npm package; it brings the system libraries that it needs. */
const fromNpm = async () => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const dir = fileURLToPath(new URL('../node_modules/.cache/chromium', import.meta.url))
  const file = path.join(dir, 'chromium')
  if (!existsSync(file)) unpack(dir)
  // Its own fonts.conf names a folder that does not exist, and without a font Chromium draws no text at all.
  mkdirSync(path.join(dir, 'fonts'), { recursive: true })
  writeFileSync(path.join(dir, 'fonts', 'fonts.conf'), fontsConf(dir))
  process.env.LD_LIBRARY_PATH = [path.join(dir, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  process.env.FONTCONFIG_PATH = path.join(dir, 'fonts')
  return starts(file) ? file : undefined
}

let found: Promise<string> | undefined

/**
 * Where a Chromium is: `CHROMIUM_PATH`, then PATH, then Playwright's cache, then the one that npm installed.
 * @throws when there is none, naming the package that brings one.
 */
export const findBrowser = (): Promise<string> => {
  found ??= (async () => {
    const asked = process.env.CHROMIUM_PATH
    if (asked && !existsSync(asked)) throw new Error(`CHROMIUM_PATH=${asked} does not exist`)
    let cause: unknown
    const file = asked || onPath() || ofPlaywright() || (await fromNpm().catch(error => void (cause = error)))
    if (!file)
      throw new Error('No Chromium starts on this machine. Run `apt-get install -y chromium`, or set CHROMIUM_PATH.', {
        cause,
      })
    return file
  })()
  return found
}

/** A headless Chromium; close it when done. */
export const launch = async (options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ executablePath: await findBrowser(), ...options, args: [...browserArgs, ...(options.args ?? [])] })
