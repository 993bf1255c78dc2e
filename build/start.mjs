import { spawn } from 'node:child_process'
import { built, installed } from './ready.mjs'

installed()
built()

const demo = process.env.MKOPO_DEMO ?? (process.env.DATABASE_URL ? '0' : '1')
const server = spawn(process.execPath, ['--enable-source-maps', 'dist/server/index.js'], {
  stdio: 'inherit',
  env: { ...process.env, MKOPO_DEMO: demo },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
