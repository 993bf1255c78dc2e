import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { compileScript, parse } from 'vue/compiler-sfc'

/** What the operator of the console gave this partner. The secret stays on the server. */
export type Partner = { console: string; clientId: string; secret: string }

/** Who is signed in at the partner, and which elements each page shows. A real back end knows the first from its own session. */
const pages = {
  plain: { loginId: 'auditor1', widgets: ['mkopo-audit-my-audit', 'mkopo-order-order-detail'] },
  react: { loginId: 'finance1', widgets: ['mkopo-after-loan-repayment-management'] },
  vue: { loginId: 'finance1', widgets: ['mkopo-after-loan-loan-management'] },
  crm: { loginId: 'cs1', widgets: ['mkopo-audit-order-management', 'mkopo-order-order-detail'] },
  'call-centre': { loginId: 'cs1', widgets: ['mkopo-audit-order-management'] },
} as const
export type Page = keyof typeof pages

/** Asks the console for a token: good for a quarter of an hour, for this person, these elements and the pages of this origin only. */
const mint = async ({ console, clientId, secret }: Partner, page: Page, origin: string): Promise<string> => {
  const answer = await fetch(`${console}/api/hc/web/embed/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      language: 'en',
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    },
    body: JSON.stringify({ ...pages[page], origin }),
  }).catch(() => {
    throw new Error(`No console answers at ${console}. Start it with npm start, or set MKOPO_URL.`)
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: { token: string } }
  if (code !== 0) throw new Error(`The console at ${console} gives no token to a page of ${origin}: ${msg} (${code})`)
  return data.token
}

const folder = import.meta.dirname
const isPage = (name: string | undefined): name is Page => name !== undefined && Object.hasOwn(pages, name)

/** The elements come from the console, by the script of the page: of the package there are only its types. */
const fromConsole: Plugin = {
  name: 'from-console',
  setup: build => {
    build.onResolve({ filter: /^mkopo(\/|$)/ }, given => ({ path: given.path, namespace: 'console' }))
    build.onLoad({ filter: /.*/, namespace: 'console' }, () => ({ contents: '' }))
  },
}

/** Components of one file, as the plug-in of any bundler compiles them. */
const vueFiles: Plugin = {
  name: 'vue-files',
  setup: build =>
    build.onLoad({ filter: /\.vue$/ }, async ({ path: file }) => {
      const { descriptor } = parse(await readFile(file, 'utf8'), { filename: file })
      const compilerOptions = { isCustomElement: (tag: string) => tag.startsWith('mkopo-') }
      const { content } = compileScript(descriptor, {
        id: path.basename(file),
        inlineTemplate: true,
        templateOptions: { compilerOptions },
      })
      return { contents: content, loader: 'ts', resolveDir: path.dirname(file) }
    }),
}

/** The program of a page, as bundlers make it. */
const bundled = async (page: Page) => {
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, page, 'main')],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    plugins: [fromConsole, vueFiles],
    minify: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

const send = (response: ServerResponse, type: string, body: string, status = 200) =>
  void response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body)

/**
 * The web server of a partner: its pages, and `POST /token/<page>`, where a page gets its token.
 * @returns where it listens, and how to end it
 */
export const openBackEnd = async (partner: Partner, port: number, host = 'localhost') => {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`
    const [, first, second] = new URL(request.url ?? '/', origin).pathname.split('/')
    const answer = async () => {
      if (request.method === 'POST' && first === 'token' && isPage(second)) {
        // A page of another origin may send this, but cannot read the answer.
        return send(response, 'text/plain', await mint(partner, second, origin))
      }
      if (first === 'style.css') return send(response, 'text/css', await readFile(path.join(folder, first), 'utf8'))
      if (isPage(first) && second === 'main.js') return send(response, 'text/javascript', await bundled(first))
      const file = isPage(first) ? path.join(folder, first, 'index.html') : path.join(folder, 'index.html')
      const html = await readFile(file, 'utf8')
      return send(response, 'text/html', html.replaceAll('https://console.example', partner.console))
    }
    answer().catch(error => send(response, 'text/plain', error instanceof Error ? error.message : String(error), 502))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address = server.address()
  const url = `http://${host}:${typeof address === 'object' && address ? address.port : port}`
  return {
    url,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
