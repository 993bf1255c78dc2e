import { described, type Listed } from './manifest.ts'

type Root = { name: string; version: string; description: string; license: string }

/** `package.json` of the library: every element is an entry of its own, and each entry registers what it names. */
export const packageJson = ({ name, version, description, license }: Root, widgets: readonly Listed[]) => {
  const element = (tag: string) => [`./${tag}.js`, { types: './elements.d.ts', default: `./${tag}.js` }] as const
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    types: './mkopo.d.ts',
    customElements: './custom-elements.json',
    sideEffects: true,
    files: ['mkopo*.js', 'chunks', '*.d.ts', '*.json', 'LICENSE'],
    exports: {
      '.': { types: './mkopo.d.ts', default: './mkopo.js' },
      './mkopo.js': { types: './mkopo.d.ts', default: './mkopo.js' },
      './react': { types: './mkopo-react.d.ts', default: './mkopo.js' },
      './vue': { types: './vue.d.ts', default: './mkopo.js' },
      ...Object.fromEntries(described(widgets).map(({ tag }) => element(tag))),
      './custom-elements.json': './custom-elements.json',
      './html-custom-data.json': './html-custom-data.json',
      './package.json': './package.json',
    },
  }
}
