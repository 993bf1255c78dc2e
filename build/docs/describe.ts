import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { isKey, text } from '../../core/i18n/server.ts'
import { domTypes, loaderTypes, reactTypes, vueTypes } from '../bundle/element-types.ts'
import { customElements, htmlData, type Listed } from '../bundle/manifest.ts'
import { packageJson } from '../bundle/package-json.ts'
import { root } from '../graph.ts'

const titled = ({ tag, props }: Listed): Listed => {
  const key = `screens.${tag}`
  return { tag, props, summary: isKey(key) ? text('en', key) : undefined }
}

const options = '--ignoreConfig --declaration --emitDeclarationOnly --target es2022 --module esnext'.split(' ')

/** Writes what partners' editors, compilers and package managers read: manifest, types, editor data, `package.json`. */
export const describeLibrary = async (lib: string, registry: readonly Listed[]) => {
  const widgets = registry.map(titled)
  const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`
  const own = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  await mkdir(lib, { recursive: true })
  const files: Record<string, string> = {
    'custom-elements.json': json(customElements(widgets)),
    'html-custom-data.json': json(htmlData(widgets)),
    'package.json': json(packageJson(own, widgets)),
    'elements.d.ts': domTypes(widgets),
    'mkopo.d.ts': loaderTypes(),
    'mkopo-react.d.ts': reactTypes(),
    'vue.d.ts': vueTypes(widgets),
  }
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(lib, name), content)
  await copyFile(path.join(root, 'LICENSE'), path.join(lib, 'LICENSE'))
  const tsc = path.join(root, 'node_modules/.bin/tsc')
  await promisify(execFile)(tsc, ['core/element/events.ts', ...options, '--outDir', lib], { cwd: root })
}
